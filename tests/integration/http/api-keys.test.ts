import { beforeAll, expect, test } from "vitest";
import { ACTION_KEYS } from "~/catalog";
import { createKeyText } from "~/models/accounts/api-key-text.server";
import { ROUTE_LIMITS } from "~/server/limits/route-limits";
import { API_KEY_SCOPES, type ApiKeyScope } from "~/services/auth/api-key-scopes";
import { IMAGES, TEXT } from "../../fixtures/preflight";
import { storeApiKey } from "../../helpers/api-keys";
import { createClient, type Person, signUp } from "../../helpers/client";
import { giveCredits } from "../../helpers/ledger";
import { listRoutes, methodsAt, pathTo } from "../../helpers/route-list";
import { withTestServer } from "../../helpers/with-test-server";

const CRON_SECRET = "7f3a9c1e5b2d8f604a6c0e9b7f3a9c1e";
const app = withTestServer({ ...IMAGES, ...TEXT, CRON_SECRET, TRUST_PROXY: "1" });

/** Routes that judge a bearer themselves. */
const hasOwnBearer = (address: string) => /^\/api\/cron\/|^\/(readyz|metrics)$/.test(address);

interface Asked {
  method: string;
  address: string;
}

let routes: Asked[];
let owner: Person;
beforeAll(async () => {
  owner = await signUp(app.url);
  const all = await Promise.all(
    listRoutes().map(async ({ address }) => {
      const methods = await methodsAt(app.url, address);
      return methods.map((method) => ({ method, address }));
    }),
  );
  routes = all.flat().filter(({ address }) => !hasOwnBearer(address));
});

const scopesOf = ({ method, address }: Asked): readonly ApiKeyScope[] => {
  const limit = ROUTE_LIMITS[`${method} ${address}`];
  return (limit && "keys" in limit && limit.keys) || [];
};

/** Asks with a key, from an address of its own: wrong keys are limited. */
async function ask({ method, address }: Asked, headers: Record<string, string>) {
  const response = await createClient(app.url).fetch(pathTo(address), { method, headers });
  const isProblem = response.headers.get("Content-Type")?.includes("problem+json");
  const { code } = isProblem ? ((await response.json()) as { code: string }) : { code: null };
  return { status: response.status, code, asksFor: response.headers.get("WWW-Authenticate") };
}

const bearer = (key: string) => ({ Authorization: `Bearer ${key}` });

test("there are routes for keys of each scope, and no page is among them", () => {
  expect(new Set(routes.flatMap(scopesOf))).toEqual(new Set(API_KEY_SCOPES));
  const pages = listRoutes().filter(({ isPage }) => isPage);
  for (const { address } of pages)
    expect(scopesOf({ method: "GET", address }), address).toEqual([]);
});

test.each([...API_KEY_SCOPES, "no scope" as const])(
  "a key of the scope %s opens the routes of its scope and no other",
  async (scope) => {
    const key = await storeApiKey(app, owner.email, {
      scopes: scope === "no scope" ? [] : [scope],
    });
    for (const route of routes) {
      const { status, code } = await ask(route, bearer(key));
      const isOpen = scopesOf(route).some((one) => one === scope);
      const label = `${route.method} ${route.address}`;
      if (isOpen) expect([label, [401, 403].includes(status), code]).toEqual([label, false, code]);
      else expect([label, status, code]).toEqual([label, 403, "key_not_allowed"]);
    }
  },
);

test("a key that is revoked, expired, unknown or malformed opens nothing, whoever is signed in", async () => {
  const scopes = [...API_KEY_SCOPES];
  const keys = [
    await storeApiKey(app, owner.email, { scopes, revokedAt: "now()" }),
    await storeApiKey(app, owner.email, { scopes, expiresAt: "now() - interval '1 second'" }),
    createKeyText("live"),
    createKeyText("live").replace(/.$/, "!"),
    "",
    CRON_SECRET,
  ];
  for (const route of routes) {
    for (const key of keys) {
      const refused = await ask(route, { ...bearer(key), Cookie: owner.cookie() });
      const label = `${route.method} ${route.address} ${key}`;
      expect([label, refused]).toEqual([
        label,
        { status: 401, code: "invalid_api_key", asksFor: "Bearer" },
      ]);
    }
  }
}, 120_000);

test("a key gets 405 where it sends a method that nothing takes, not a word about scopes", async () => {
  const key = await storeApiKey(app, owner.email, { scopes: [] });
  const addresses = new Set(routes.filter((it) => scopesOf(it).length > 0).map((it) => it.address));
  expect(addresses.size).toBeGreaterThan(5);
  for (const address of addresses) {
    const taken = routes.filter((it) => it.address === address).map((it) => it.method);
    for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE"].filter(
      (it) => !taken.includes(it),
    ))
      expect([method, address, await ask({ method, address }, bearer(key))]).toMatchObject([
        method,
        address,
        { status: 405, code: "method_not_allowed" },
      ]);
  }
});

test("a key whose month is used up starts no run, and opens everything else of its scopes", async () => {
  const person = await signUp(app.url);
  const key = await storeApiKey(app, person.email, { scopes: [...API_KEY_SCOPES] });
  const many = 1_000_000;
  await giveCredits(app, person.email, many);
  await app.sql(
    `WITH own AS (
       UPDATE api_keys SET monthly_limit = 1 WHERE actor_id = (SELECT id FROM users WHERE email = $1)
       RETURNING id, account_id)
     INSERT INTO usage_months (account_id, api_key_id, month, credits)
     SELECT account_id, id, date_trunc('month', now() AT TIME ZONE 'UTC')::date, 1 FROM own`,
    [person.email],
  );
  const started: string[] = [];
  for (const route of routes.filter((it) => scopesOf(it).length > 0)) {
    const isRun = route.address.startsWith("/api/generate-");
    const { status, code } = isRun
      ? await startRun(route.address, bearer(key))
      : await ask(route, bearer(key));
    if (isRun) expect([route.address, status, code]).toEqual([route.address, 402, "limit_reached"]);
    else expect([route.address, [401, 402, 403].includes(status)]).toEqual([route.address, false]);
    if (isRun) started.push(route.address);
  }
  expect(started).toHaveLength(ACTION_KEYS.length);
});

/** Asks a generate route for the least that it makes. */
async function startRun(address: string, headers: Record<string, string>) {
  const response = await fetch(app.url + address, {
    method: "POST",
    headers: { ...headers, "Content-Type": "application/json" },
    body: JSON.stringify({ prompt: "a lake" }),
  });
  return { status: response.status, code: ((await response.json()) as { code: string }).code };
}

test("without a key the routes for keys ask for a session, and with one they open", async () => {
  for (const route of routes.filter((route) => scopesOf(route).length > 0)) {
    expect(await ask(route, {})).toMatchObject({ status: 401, code: "unauthenticated" });
    const { status } = await ask(route, { Cookie: owner.cookie() });
    expect([401, 403]).not.toContain(status);
  }
});

test("the scheduler's routes keep their own bearer", async () => {
  const route = { method: "GET", address: "/api/cron/maintenance" };
  expect(await ask(route, bearer(CRON_SECRET))).toMatchObject({ status: 200 });
  const key = await storeApiKey(app, owner.email, { scopes: [...API_KEY_SCOPES] });
  expect(await ask(route, bearer(key))).toMatchObject({ status: 401, code: "unauthenticated" });
});

test("a request with a key is its holder's, whatever session and site it comes from", async () => {
  const other = await signUp(app.url);
  await app.sql(
    `INSERT INTO credit_accounts (user_id, balance) SELECT id, 0 FROM users WHERE email = $1
     ON CONFLICT DO NOTHING`,
    [other.email],
  );
  const key = await storeApiKey(app, other.email, { scopes: ["read", "generate"] });
  const [row] = await app.sql<{ id: string }>("SELECT id FROM users WHERE email = $1", [
    other.email,
  ]);
  const headers = {
    ...bearer(key),
    Cookie: owner.cookie(),
    Origin: "https://elsewhere.example",
    "Sec-Fetch-Site": "cross-site",
    "Content-Type": "application/json",
  };
  const path = "/api/generate-image";
  const sent = await fetch(app.url + path, { method: "POST", headers, body: "{}" });
  expect(sent.status).not.toBe(403);
  await fetch(`${app.url}/api/account/credits`, { headers });
  const lines = (await app.server.allLogs()).filter(({ msg }) => msg === "request");
  expect(lines).toContainEqual(
    expect.objectContaining({
      path: "/api/account/credits",
      status: 200,
      userId: row?.id,
      apiKeyId: expect.any(String),
    }),
  );
});

test("a key's last use is noted, from where, and at most once a minute", async () => {
  const person = await signUp(app.url);
  const key = await storeApiKey(app, person.email, { scopes: ["read"] });
  const use = (address: string) =>
    createClient(app.url, address).fetch("/api/account/credits", { headers: bearer(key) });
  const noted = () =>
    app.sql<{ network: string; at: string }>(
      `SELECT last_used_network AS network, last_used_at::text AS at
       FROM api_keys WHERE actor_id = (SELECT id FROM users WHERE email = $1)`,
      [person.email],
    );
  await Promise.all(Array.from({ length: 20 }, () => use("203.0.113.7")));
  const [first] = await noted();
  expect(first).toMatchObject({ network: "203.0.113.7", at: expect.any(String) });
  await use("203.0.113.9");
  expect(await noted()).toEqual([first]);
  await app.sql("UPDATE api_keys SET last_used_at = last_used_at - interval '61 seconds'");
  await use("203.0.113.9");
  expect(await noted()).toMatchObject([{ network: "203.0.113.9" }]);
});

test("revocation, expiry and a disabled account end a key at once, in every process", async () => {
  const person = await signUp(app.url);
  const key = await storeApiKey(app, person.email, { scopes: ["read"] });
  const statuses = async () => {
    const { status } = await ask({ method: "GET", address: "/api/account/credits" }, bearer(key));
    return status;
  };
  expect(await statuses()).toBe(200);
  const steps = [
    ["UPDATE api_keys SET expires_at = now() WHERE actor_id = id_of", 401],
    ["UPDATE api_keys SET expires_at = NULL WHERE actor_id = id_of", 200],
    ["UPDATE users SET disabled_at = now() WHERE id = id_of", 401],
    ["UPDATE users SET disabled_at = NULL WHERE id = id_of", 200],
    ["UPDATE users SET held_for_email = true WHERE id = id_of", 401],
    ["UPDATE users SET held_for_email = false WHERE id = id_of", 200],
    ["UPDATE api_keys SET revoked_at = now() WHERE actor_id = id_of", 401],
  ] as const;
  for (const [sql, status] of steps) {
    await app.sql(sql.replace("id_of", "(SELECT id FROM users WHERE email = $1)"), [person.email]);
    expect([sql, await statuses()]).toEqual([sql, status]);
  }
});
