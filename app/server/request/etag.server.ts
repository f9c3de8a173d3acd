import { createHash } from "node:crypto";

/** Returns a strong entity tag: the same in every process, and another one once a byte changes. */
export function etagOf(...parts: (string | Uint8Array)[]): string {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(String(part.length)).update(":").update(part);
  return `"${hash.digest("base64url").slice(0, 22)}"`;
}

/**
 * Returns true if an `If-None-Match` names this tag. Compares weakly (RFC 9110, 13.1.2): proxies that
 * compress put `W/` in front of a tag.
 */
export function isAmong(etag: string, ifNoneMatch: string | undefined): boolean {
  if (ifNoneMatch === undefined) return false;
  const tags = ifNoneMatch.split(",").map((tag) => tag.trim().replace(/^W\//, ""));
  return tags.includes(etag) || tags.includes("*");
}
