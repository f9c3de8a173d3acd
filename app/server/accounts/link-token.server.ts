/** Returns the secret of a mailed link's page; empty if the address has none, which no link matches. */
export function linkTokenOf(request: Request): string {
  return new URL(request.url).searchParams.get("token") ?? "";
}
