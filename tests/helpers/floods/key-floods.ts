import { randomUUID } from "node:crypto";
import { createKeyText } from "~/models/accounts/api-key-text.server";
import { RATE_LIMITS } from "~/server/limits/rate-limit-rules";
import { ROUTE_LIMITS } from "~/server/limits/route-limits";
import { API_KEY_SCOPES } from "~/services/auth/api-key-scopes";
import { storeApiKey } from "../api-keys";
import { createClient } from "../client";
import { pathTo } from "../route-list";
import type { Flood, Floods } from "./flood";
import { SCALE, type Stage } from "./stage";

/** A route that takes keys, and nearly nothing else limits. */
const CHEAP = "/api/storage/files";

/** Floods of programs, by each route that takes keys. */
export function keyFloods(stage: Stage): Floods {
  const { app } = stage;
  const withKey = (key: string, method: string, path: string) =>
    createClient(app.url).fetch(path, { method, headers: { Authorization: `Bearer ${key}` } });
  const floods = (method: string, address: string): Record<string, Flood> => ({
    // A request to any route counts. The first ones go where the route's own limits don't refuse them.
    "api-key": async () => {
      const { email } = await stage.person();
      const key = await storeApiKey(app, email, { scopes: [...API_KEY_SCOPES] });
      const allowed = Math.floor(RATE_LIMITS["api-key"].limit * SCALE);
      return (n) =>
        n < allowed
          ? withKey(key, "GET", `${CHEAP}/${randomUUID()}`)
          : withKey(key, method, pathTo(address));
    },
    "wrong-key-address": async () => {
      const client = createClient(app.url);
      return () =>
        client.fetch(pathTo(address), {
          method,
          headers: { Authorization: `Bearer ${createKeyText("test")}` },
        });
    },
  });
  return Object.fromEntries(
    Object.entries(ROUTE_LIMITS)
      .filter(([, limit]) => "keys" in limit)
      .map(([route]) => {
        const [method = "", address = ""] = route.split(" ");
        return [route, floods(method, address)];
      }),
  );
}
