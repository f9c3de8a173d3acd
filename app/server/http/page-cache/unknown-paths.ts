import type { ServerBuild } from "@remix-run/node";
import { isLocale } from "~/i18n/locale";
import type { CachedPath } from "./cached-paths.server";

/** Addresses that no route may have: Remix renders the cached 404 pages for them. */
const NAMELESS = "not-found";

/** Paths with anything else than this are left to Remix's own matching. */
const PLAIN = /^(?:\/[\w.~-]+)+$/;
/** Dots that a URL resolves, and Remix's own data requests. */
const SPECIAL = /\/\.\.?(?:\/|$)|\.data$|^\/__/;

/**
 * Finds addresses that surely belong to no route, by their first segments, without Remix's matching. Returns the 404
 * page for one: one per language, and one for addresses outside all languages. Returns null for every
 * other address, deeper unknown ones included.
 */
export function unknownPaths(routes: ServerBuild["routes"]): (path: string) => CachedPath | null {
  const top = firstSegments(routes, "root");
  const layout = Object.values(routes).find((route) => route?.path === ":locale");
  const below = layout && firstSegments(routes, layout.id);
  // A parameter could match any segment.
  if (!top || !below) return () => null;
  return (path) => {
    if (!PLAIN.test(path) || SPECIAL.test(path)) return null;
    const [first = "", second] = path.slice(1).split("/");
    const isBelowKnown = second !== undefined && below.has(second.toLowerCase());
    if (isLocale(first)) {
      return second === undefined || isBelowKnown ? null : notFound(`/${first}/${NAMELESS}`);
    }
    return top.has(first.toLowerCase()) || isBelowKnown ? null : notFound(`/${NAMELESS}`);
  };
}

function notFound(path: string): CachedPath {
  return { path, page: NAMELESS, status: 404 };
}

/** Returns the first segments of the routes below a route, in lower case; null if one can match any text. */
function firstSegments(routes: ServerBuild["routes"], parentId: string): Set<string> | null {
  const segments = pathsBelow(routes, parentId)
    .map((path) => path.split("/", 1)[0]?.toLowerCase() ?? "")
    .filter((segment) => segment !== "*" && segment !== ":locale");
  return segments.some((segment) => /[:?]/.test(segment)) ? null : new Set(segments);
}

/** Returns the paths below a route. A layout without a path has those of its children. */
function pathsBelow(routes: ServerBuild["routes"], parentId: string): string[] {
  return Object.values(routes)
    .filter((route) => route?.parentId === parentId)
    .flatMap((route) => {
      if (!route || route.index) return [];
      return route.path ? [route.path] : pathsBelow(routes, route.id);
    });
}
