/** Whether a request asks not to be kept waiting: `Prefer: respond-async` (RFC 7240). */
export function prefersAsync(request: Request): boolean {
  const preferences = (request.headers.get("Prefer") ?? "").split(",");
  return preferences.some(
    (preference) => preference.split(";")[0]?.trim().toLowerCase() === "respond-async",
  );
}
