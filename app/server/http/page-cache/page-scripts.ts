/** A path on this site that needs no escaping in HTML or in a policy. */
const OWN_PATH = /^\/[\w-][\w./-]*$/;

/** Data for search engines, which no browser runs and no policy concerns. */
const STRUCTURED_DATA = ' type="application/ld+json"';

/**
 * Returns the paths of the scripts that a page loads from this site; null if it has a script of another
 * kind, which only a nonce could allow. Reads HTML as React writes it.
 */
export function ownScripts(html: string): string[] | null {
  const paths = html
    .split(/<script\b/i)
    .slice(1)
    .map((rest) => rest.slice(0, rest.indexOf(">")))
    .filter((attributes) => attributes !== STRUCTURED_DATA)
    .map(sourceOf);
  return paths.every((path) => path !== null) ? [...new Set(paths)] : null;
}

function sourceOf(attributes: string): string | null {
  const source = attributes.split(" ").find((attribute) => attribute.startsWith('src="'));
  if (!source?.endsWith('"')) return null;
  const path = source.slice('src="'.length, -1);
  return OWN_PATH.test(path) ? path : null;
}
