/** In the address of a page after a verification link was sent again from there. */
export const SENT_AGAIN = "sent-again";

/** Returns the way back with the note that the link was sent again. */
export function withSentAgain(path: string): string {
  const url = new URL(path, "http://internal.invalid");
  url.searchParams.set(SENT_AGAIN, "");
  return url.pathname + url.search;
}
