/** How often a waiting page looks again without JavaScript, three seconds apart. */
const LOOKS = 20;

/** Returns the query with which a waiting page shows itself anew; null once it looked often enough. */
export function nextLook(request: Request): string | null {
  const url = new URL(request.url);
  const look = Number(url.searchParams.get("look")) || 0;
  url.searchParams.set("look", String(look + 1));
  return look < LOOKS ? url.search : null;
}
