/** Under https the prefix binds a cookie to this exact host and keeps it Secure. */
const PREFIX = "__Host-";

/** The name of one of our cookies as the browser of this site knows it. */
export function cookieName(name: string, siteUrl: URL): string {
  return siteUrl.protocol === "https:" ? `${PREFIX}${name}` : name;
}

/** The name without the prefix. */
export function withoutPrefix(name: string): string {
  return name.startsWith(PREFIX) ? name.slice(PREFIX.length) : name;
}
