import type { ServerBuild } from "@remix-run/node";
import { LOCALES } from "~/i18n/locale";

type RouteTable = ServerBuild["routes"];

interface ConstantRoute {
  /** The route that has no children. */
  id: string;
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
  const parents = new Set(Object.values(build.routes).map((route) => route?.parentId));
  return Object.keys(build.routes).flatMap((id) => {
    if (parents.has(id)) return [];
    const branch = branchOf(build.routes, id);
    const paths = constantPaths(branch.map((ancestor) => build.routes[ancestor]?.path));
    if (paths.length === 0) return [];
    return [{ id, paths, build: withRoutes(build, branch) }];
  });
}

/** The ids of a route and its parents, from the root down. */
function branchOf(routes: RouteTable, id: string): string[] {
  const parentId = routes[id]?.parentId;
  return parentId === undefined ? [id] : [...branchOf(routes, parentId), id];
}

function constantPaths(patterns: (string | undefined)[]): string[] {
  const pattern = patterns.map((part) => (part ? `/${part}` : "")).join("") || "/";
  const paths = pattern.startsWith("/:locale")
    ? LOCALES.map((locale) => pattern.replace("/:locale", `/${locale}`))
    : [pattern];
  return paths.filter((path) => /^\/[\w./-]*$/.test(path));
}

function withRoutes(build: ServerBuild, ids: string[]): ServerBuild {
  const only = <Route>(routes: Record<string, Route>) =>
    Object.fromEntries(Object.entries(routes).filter(([id]) => ids.includes(id)));
  const { routes, assets } = build;
  return { ...build, routes: only(routes), assets: { ...assets, routes: only(assets.routes) } };
}
