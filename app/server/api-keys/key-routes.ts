import type { ApiKeyScope } from "~/models/api-keys/scopes";
import { ROUTE_LIMITS } from "~/server/limits/route-limits";

interface KeyRoute {
  method: string;
  path: RegExp;
  scopes: readonly ApiKeyScope[];
}

/** The routes of `ROUTE_LIMITS` that take keys. */
const KEY_ROUTES: KeyRoute[] = Object.entries(ROUTE_LIMITS).flatMap(([route, limit]) => {
  if (!("keys" in limit) || !limit.keys) return [];
  const [method = "", address = ""] = route.split(" ");
  const path = new RegExp(`^${address.replace(/\{\w+\}/g, "[^/]+")}$`);
  return [{ method, path, scopes: limit.keys }];
});

/** The scopes of keys that open an address; none for every address that takes no keys. */
export function scopesAt({
  method,
  path,
}: {
  method: string;
  path: string;
}): readonly ApiKeyScope[] {
  const asked = method === "HEAD" ? "GET" : method;
  return KEY_ROUTES.find((route) => route.method === asked && route.path.test(path))?.scopes ?? [];
}
