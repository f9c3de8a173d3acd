const SCRIPT = /<script\b([^>]*)>/gi;
/** A path on this site that needs no escaping in HTML or in a policy. */
const OWN_FILE = /(?:^|\s)src="(\/[\w./-]+)"/;

/**
 * Returns the paths of the scripts that a page loads from this site; null if it has a script of another
 * kind, which only a nonce could allow.
 */
export function ownScripts(html: string): string[] | null {
  const paths = [...html.matchAll(SCRIPT)].map(([, attributes = ""]) => {
    const path = OWN_FILE.exec(attributes)?.[1];
    return path?.startsWith("//") ? undefined : path;
  });
  return paths.every((path) => path !== undefined) ? [...new Set(paths)] : null;
}
