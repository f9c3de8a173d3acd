import type { ServerBuild } from "@remix-run/node";
import { matchRoutes } from "@remix-run/react";
import { LOCALES } from "~/i18n/locale";

type RouteTable = ServerBuild["routes"];

interface RouteNode {
  id: string;
  path?: string | undefined;
  index?: boolean | undefined;
  caseSensitive?: boolean | undefined;
  children?: RouteNode[];
}

/** Returns a function that finds the routes of a path, from the root down, as Remix does. */
export function routeMatcher(routes: RouteTable) {
  const tree = childrenOf(routes) as Parameters<typeof matchRoutes>[0];
  return (pathname: string) => matchRoutes(tree, pathname) ?? [];
}

function childrenOf(routes: RouteTable, parentId?: string): RouteNode[] {
  return Object.values(routes)
    .filter((route) => route?.parentId === parentId)
    .flatMap((route) => {
      if (!route) return [];
      const { id, path, index, caseSensitive } = route;
      const node = { id, path, caseSensitive };
      return [index ? { ...node, index } : { ...node, children: childrenOf(routes, id) }];
    });
}

/** A route that has no children, so that it alone can be what is asked for. */
interface LeafRoute {
  id: string;
  /** The ids of the route and its parents, from the root down. */
  branch: string[];
  /** Its whole address, such as `/:locale/files`. */
  pattern: string;
}

export function leafRoutes(routes: RouteTable): LeafRoute[] {
  const parents = new Set(Object.values(routes).map((route) => route?.parentId));
  return Object.keys(routes)
    .filter((id) => !parents.has(id))
    .map((id) => {
      const branch = branchOf(routes, id);
      const parts = branch.map((ancestor) => routes[ancestor]?.path).filter(Boolean);
      return { id, branch, pattern: `/${parts.join("/")}` };
    });
}

function branchOf(routes: RouteTable, id: string): string[] {
  const parentId = routes[id]?.parentId;
  return parentId === undefined ? [id] : [...branchOf(routes, parentId), id];
}

/** Returns the addresses that a pattern without a parameter stands for, one per language; none if it has one. */
export function constantPaths(pattern: string): string[] {
  const paths = /^\/:locale(?=\/|$)/.test(pattern)
    ? LOCALES.map((locale) => pattern.replace("/:locale", `/${locale}`))
    : [pattern];
  return paths.filter((path) => /^\/[\w./-]*$/.test(path));
}
