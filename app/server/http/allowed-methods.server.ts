import type { ServerBuild } from "@remix-run/node";
import { matchRoutes } from "@remix-run/react";
import type { RequestHandler } from "express";
import { urlOf } from "~/server/http/request-target.server";
import { sendProblem } from "~/server/problem-response.server";

type RouteTable = ServerBuild["routes"];
interface RouteNode {
  id: string;
  path?: string | undefined;
  index?: boolean | undefined;
  caseSensitive?: boolean | undefined;
  children?: RouteNode[];
}

/** Paths of `apiRoute` and webhook routes, which check their methods themselves. */
const JSON_ROUTES = /^\/(api\/|healthz\/?$|readyz\/?$)/i;
const KNOWN_METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/**
 * Answers a method that an address doesn't accept with 405 method_not_allowed and `Allow`, and
 * OPTIONS with 204 and `Allow`. Otherwise Remix would run the action on any method, or fail.
 *
 * JSON routes list their methods themselves, even for a method that Remix doesn't know: such a
 * request is passed to them as OPTIONS.
 */
export function allowedMethods(routes: RouteTable): RequestHandler {
  const tree = childrenOf(routes);
  return (request, response, next) => {
    const { method } = request;
    if (method === "GET" || method === "HEAD") return next();
    const { pathname } = urlOf(request.originalUrl);
    if (JSON_ROUTES.test(pathname)) {
      if (!KNOWN_METHODS.has(method)) request.method = "OPTIONS";
      return next();
    }
    const isData = pathname.endsWith(".data");
    const module = moduleAt(routes, tree, isData ? pathname.slice(0, -".data".length) : pathname);
    const isPage = module?.default !== undefined || module?.ErrorBoundary !== undefined;
    const hasAction = module?.action !== undefined;

    // A page without an action renders its own 405 page.
    if (method === "POST" && (hasAction || (isPage && !isData))) return next();
    const allow = allowOf({ hasAction });
    response.set("Allow", allow);
    if (method === "OPTIONS") return response.status(204).end();
    sendProblem(response, {
      code: "method_not_allowed",
      detail: `This address takes ${allow} only.`,
    });
  };
}

/** Returns the methods of a page, or of a resource route without an action. */
export function allowOf(route: { hasAction: boolean } | undefined): string {
  return route?.hasAction ? "GET, HEAD, POST" : "GET, HEAD";
}

function moduleAt(routes: RouteTable, tree: RouteNode[], pathname: string) {
  const leaf = matchRoutes(tree as Parameters<typeof matchRoutes>[0], pathname)?.at(-1);
  return routes[leaf?.route.id ?? ""]?.module;
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
