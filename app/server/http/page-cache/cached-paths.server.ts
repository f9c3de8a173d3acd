import type { ServerBuild } from "@remix-run/node";
import type { PageHandle } from "~/components/page-handle";
import { constantPaths, leafRoutes } from "../route-tree.server";

/** A response that is rendered once and cached. */
export interface CachedPath {
  /** The address that Remix renders. */
  path: string;
  /** The page's name below its language, which says what cookies change it; null for a file or JSON. */
  page: string | null;
  status: 200 | 404;
}

/**
 * Returns the cached paths, by path: those of every route whose `handle` says `sameForAll`, except the pages for unknown
 * addresses. No cookie and no query changes a file or JSON.
 * @throws Error if such a route's address has a parameter besides the language
 */
export function cachedPaths(routes: ServerBuild["routes"]): ReadonlyMap<string, CachedPath> {
  const found = leafRoutes(routes).flatMap(({ id, pattern }) => {
    const module = routes[id]?.module;
    if (!(module?.handle as PageHandle | undefined)?.sameForAll) return [];
    const paths = constantPaths(pattern);
    if (paths.length === 0)
      throw new Error(
        `${id} can't be the same for all: its address ${pattern} has a parameter. Take sameForAll out of its handle.`,
      );
    const page = module?.default ? pattern.replace(/^\/(?::locale\/?)?/, "") : null;
    return paths.map((path) => [path, { path, page, status: 200 }] as const);
  });
  return new Map(found);
}
