import type { ServerBuild } from "@remix-run/node";
import { matchRoutes } from "@remix-run/react";

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
