import type { ServerBuild } from "@remix-run/node";
import { constantPaths, leafRoutes } from "./route-tree.server";

interface ConstantRoute {
  paths: string[];
  /** Knows this route and its parents alone. */
  build: ServerBuild;
}

/**
 * The paths without a parameter, the language aside: each with a build of its own route and that
 * route's parents alone. Remix ranks, compiles and matches every route of its build three times for each
 * page, which took a quarter of a signed-in page's processor time. A path that is written exactly
 * like one of these matches no other route as well, so a smaller build responds alike.
 */
export function listConstantRoutes(build: ServerBuild): ConstantRoute[] {
  return leafRoutes(build.routes).flatMap(({ branch, pattern }) => {
    const paths = constantPaths(pattern);
    if (paths.length === 0) return [];
    return [{ paths, build: withRoutes(build, branch) }];
  });
}

function withRoutes(build: ServerBuild, ids: string[]): ServerBuild {
  const only = <Route>(routes: Record<string, Route>) =>
    Object.fromEntries(Object.entries(routes).filter(([id]) => ids.includes(id)));
  const { routes, assets } = build;
  return { ...build, routes: only(routes), assets: { ...assets, routes: only(assets.routes) } };
}
