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

/** Where each route is an `apiRoute`, or a webhook: it answers for its own methods. */
const JSON_ROUTES = /^\/(api\/|healthz\/?$|readyz\/?$)/i;
const KNOWN_METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/**
 * Answers methods that an address does not take, before Remix would run its action on any of them
 * (or fail): 405 method_not_allowed with `Allow`, and 204 with `Allow` to OPTIONS.
 *
 * JSON routes name their methods themselves, also to a method that Remix does not know: they are
 * asked as OPTIONS.
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

    // A page without an action has its own 405, as a page.
    if (method === "POST" && (hasAction || (isPage && !isData))) return next();
    const allow = allowOf({ hasAction });
    response.set("Allow", allow);
    if (method === "OPTIONS") return response.status(204).end();
    sendProblem(response, {
      status: 405,
      code: "method_not_allowed",
      detail: `This address answers ${allow} only.`,
    });
  };
}

/** The methods of a page, or of a resource route without an action. */
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
