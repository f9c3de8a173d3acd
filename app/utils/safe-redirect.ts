const BASE = "http://internal.invalid";

/**
 * The redirect target after a form, as a path on this site: `to` if it is one, otherwise `fallback`.
 * Browsers strip tabs and line ends, and read `\` as `/`, so `/\host`, `/<tab>/host` and `/.//host` all
 * leave the site. Returns the path as the browser would resolve it.
 */
export function safeRedirect(to: unknown, fallback: string): string {
  if (typeof to !== "string" || !to.startsWith("/")) return fallback;
  if (!URL.canParse(to, BASE)) return fallback;
  const url = new URL(to, BASE);
  const path = url.pathname + url.search + url.hash;
  if (url.origin !== BASE || path.startsWith("//")) return fallback;
  return path;
}
