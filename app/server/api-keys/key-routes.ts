import { ROUTE_LIMITS } from "~/server/limits/route-limits";
import type { ApiKeyScope } from "~/services/auth/api-key-scopes";

interface KeyRoute {
  method: string;
  segments: string[];
  scopes: readonly ApiKeyScope[];
}

/** The routes of `ROUTE_LIMITS` that take keys. */
const KEY_ROUTES: KeyRoute[] = Object.entries(ROUTE_LIMITS).flatMap(([route, limit]) => {
  if (!("keys" in limit) || !limit.keys) return [];
  const [method = "", address = ""] = route.split(" ");
  return [{ method, segments: address.split("/"), scopes: limit.keys }];
});

/** Whether a segment of a path fits one of a route; a parameter fits any but an empty one. */
const fits = (segment: string | undefined, ours: string): boolean =>
  ours.startsWith("{") ? Boolean(segment) : segment === ours;

/** The scopes of keys that open an address; none for every address that takes no keys. */
export function scopesAt({
  method,
  path,
}: {
  method: string;
  path: string;
}): readonly ApiKeyScope[] {
  const asked = method === "HEAD" ? "GET" : method;
  const segments = path.split("/");
  const route = KEY_ROUTES.find(
    (each) =>
      each.method === asked &&
      each.segments.length === segments.length &&
      each.segments.every((ours, at) => fits(segments[at], ours)),
  );
  return route?.scopes ?? [];
}
