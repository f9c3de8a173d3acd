import { ROUTE_LIMITS } from "~/server/limits/route-limits";
import type { ApiKeyScope } from "~/services/auth/api-key-scopes";

interface Asked {
  method: string;
  path: string;
}

interface Route {
  method: string;
  segments: string[];
  /** None for a route that takes no keys. */
  scopes: readonly ApiKeyScope[];
}

const ROUTES: Route[] = Object.entries(ROUTE_LIMITS).map(([route, limit]) => {
  const [method = "", address = ""] = route.split(" ");
  return { method, segments: address.split("/"), scopes: ("keys" in limit && limit.keys) || [] };
});

/** Whether a segment of a path fits one of a route; a parameter fits any but an empty one. */
const fits = (segment: string | undefined, ours: string): boolean =>
  ours.startsWith("{") ? Boolean(segment) : segment === ours;

/** The routes at a path, by any method. */
function routesAt(path: string): Route[] {
  const segments = path.split("/");
  return ROUTES.filter(
    (each) =>
      each.segments.length === segments.length &&
      each.segments.every((ours, at) => fits(segments[at], ours)),
  );
}

const isOf = (method: string) => {
  const asked = method === "HEAD" ? "GET" : method;
  return (route: Route) => route.method === asked;
};

/** The scopes of keys that open an address; none for every address that takes no keys. */
export function scopesAt({ method, path }: Asked): readonly ApiKeyScope[] {
  return routesAt(path).find(isOf(method))?.scopes ?? [];
}

/** Whether an address takes keys, but not by this method, nor anything else by it: its route says so, with 405. */
export function isWrongMethod({ method, path }: Asked): boolean {
  const routes = routesAt(path);
  return routes.some(({ scopes }) => scopes.length > 0) && !routes.some(isOf(method));
}
