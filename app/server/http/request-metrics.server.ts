import type { ServerBuild } from "@remix-run/node";
import type { RequestHandler } from "express";
import { urlOf } from "~/server/http/guards/request-target.server";
import { leafRoutes } from "~/server/http/route-tree.server";
import { count, observe } from "~/utils/metrics.server";

type RouteTable = ServerBuild["routes"];

/** Counts each request and its time under its route, never under its path. */
export function requestMetrics(routes: RouteTable): RequestHandler {
  const routeOf = routeFinder(routes);
  return (request, response, next) => {
    const began = performance.now();
    const { method, originalUrl } = request;
    response.once("close", () => {
      const path = originalUrl.startsWith("/") ? urlOf(originalUrl).pathname : "";
      const route = routeOf(path);
      const status = response.writableFinished ? String(response.statusCode) : "closed";
      count("rcs_http_requests_total", { route, method, status });
      observe("rcs_http_request_duration_seconds", { route }, began);
    });
    next();
  };
}

interface Node {
  children: Map<string, Node>;
  parameter: Node | null;
  /** The route that ends here. */
  route: string | null;
  /** The route that takes whatever follows. */
  splat: string | null;
}

const createNode = (): Node => ({ children: new Map(), parameter: null, route: null, splat: null });

/**
 * Returns a function that finds the route of a path: its file's name. As Remix does, but a hundred times faster: words
 * before parameters, and both before splats. `$` is what no route takes.
 */
export function routeFinder(routes: RouteTable): (path: string) => string {
  const root = createNode();
  for (const { id, pattern } of leafRoutes(routes)) {
    const name = id.replace(/^routes\//, "");
    let node = root;
    for (const part of partsOf(pattern)) {
      if (part === "*") node.splat = name;
      else node = enter(node, part);
    }
    if (!pattern.endsWith("*")) node.route = name;
  }
  return (path) => {
    const parts = partsOf(path.replace(/\.data$/, ""));
    return find(root, parts, { splats: false }) ?? find(root, parts, { splats: true }) ?? "$";
  };
}

const partsOf = (path: string) => path.split("/").filter((part) => part !== "");

function enter(node: Node, part: string): Node {
  if (part.startsWith(":")) {
    node.parameter ??= createNode();
    return node.parameter;
  }
  const word = part.toLowerCase();
  const child = node.children.get(word) ?? createNode();
  node.children.set(word, child);
  return child;
}

function find(node: Node, [part, ...rest]: string[], wanted: { splats: boolean }): string | null {
  const splat = wanted.splats ? node.splat : null;
  if (part === undefined) return node.route ?? splat;
  const child = node.children.get(part.toLowerCase());
  const found = child && find(child, rest, wanted);
  if (found) return found;
  return (node.parameter && find(node.parameter, rest, wanted)) ?? splat;
}
