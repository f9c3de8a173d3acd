import type { ServerBuild } from "@remix-run/node";
import type { RequestHandler } from "express";
import { urlOf } from "~/server/http/guards/request-target.server";
import { routeMatcher } from "~/server/http/route-tree.server";
import { sendProblem } from "~/server/request/problem-response.server";

type RouteTable = ServerBuild["routes"];

/** Paths of `apiRoute` and webhook routes, which check their methods themselves. */
const JSON_ROUTES = /^\/(api\/|healthz\/?$|readyz\/?$|metrics\/?$)/i;
export const KNOWN_METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/**
 * Responds to a method that an address doesn't accept with 405 method_not_allowed and `Allow`, and
 * OPTIONS with 204 and `Allow`. Otherwise Remix would run the action on any method, or fail.
 *
 * JSON routes list their methods themselves, even for a method that Remix doesn't know: such a
 * request is passed to them as OPTIONS.
 */
export function allowedMethods(routes: RouteTable): RequestHandler {
  const matchesAt = routeMatcher(routes);
  const moduleAt = (pathname: string) => routes[matchesAt(pathname).at(-1)?.route.id ?? ""]?.module;
  return (request, response, next) => {
    const { method } = request;
    if (method === "GET" || method === "HEAD") return next();
    const { pathname } = urlOf(request.originalUrl);
    if (JSON_ROUTES.test(pathname)) {
      if (!KNOWN_METHODS.has(method)) request.method = "OPTIONS";
      return next();
    }
    const isData = pathname.endsWith(".data");
    const module = moduleAt(isData ? pathname.slice(0, -".data".length) : pathname);
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
