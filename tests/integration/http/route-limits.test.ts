import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { limitRule, RATE_LIMITS, type RateLimitName } from "~/server/limits/rate-limit-rules";
import { ROUTE_LIMITS } from "~/server/limits/route-limits";
import { setUpBillingEnv } from "../../helpers/billing";
import { createClient, newAddress } from "../../helpers/client";
import type { Flood } from "../../helpers/floods/flood";
import { keyFloods } from "../../helpers/floods/key-floods";
import { personFloods } from "../../helpers/floods/person-floods";
import { SCALE, withStage } from "../../helpers/floods/stage";
import { visitorFloods } from "../../helpers/floods/visitor-floods";
import { listRoutes, methodsAt, pathTo } from "../../helpers/route-list";
import { byRun, someOf } from "../../helpers/runs";

// The tests sign links as the server does.
setUpBillingEnv();
const stage = withStage();
const { app } = stage;

/** Limits that refuse nobody: what is beyond them is left out in silence. */
const SILENT: RateLimitName[] = [
  "sign-up-notice-account",
  "reset-account",
  "sign-in-link-account",
  "mail-stranger",
  "mail-stranger-day",
  "password-known-notice-user",
  // Beyond it, tries take turns.
  "sign-in-account",
];

const FLOODS = [visitorFloods(stage), personFloods(stage), keyFloods(stage)].flatMap((floods) =>
  Object.entries(floods).flatMap(([route, byLimit]) =>
    Object.entries(byLimit).map(([limit, flood]) => ({
      route,
      limit: limit as RateLimitName,
      flood: flood as Flood,
    })),
  ),
);

test("the table has every route that takes more than a GET of a page, and no other", async () => {
  const routes = await Promise.all(
    listRoutes().map(async ({ address, isPage }) => {
      const methods = await methodsAt(app.url, address);
      return methods.map((method) => ({
        key: `${method} ${address}`,
        isPage: isPage && method === "GET",
      }));
    }),
  );
  const all = routes.flat();
  const needed = all.filter(({ isPage }) => !isPage).map(({ key }) => key);
  const pages = all.filter(({ isPage }) => isPage).map(({ key }) => key);
  const listed = Object.keys(ROUTE_LIMITS);
  expect(needed.filter((key) => !listed.includes(key))).toEqual([]);
  expect(listed.filter((key) => ![...needed, ...pages].includes(key))).toEqual([]);
});

test("every limit guards a route or is silent, and every limit of a route has its flood", () => {
  const named = Object.entries(ROUTE_LIMITS).flatMap(([route, entry]) =>
    "limits" in entry ? entry.limits.map((limit) => `${route}: ${limit}`) : [],
  );
  expect(FLOODS.map(({ route, limit }) => `${route}: ${limit}`).sort()).toEqual(named.sort());
  const guarding = new Set(FLOODS.map(({ limit }) => limit));
  expect([...guarding, ...SILENT].sort()).toEqual(Object.keys(RATE_LIMITS).sort());
});

test("reading a page writes no row and asks no provider, unless the table limits it", async () => {
  const buyer = await stage.subscriber();
  const pages = listRoutes().filter(({ address, isPage }) => {
    return isPage && !(`GET ${address}` in ROUTE_LIMITS);
  });
  expect(pages.length).toBeGreaterThan(30);
  await settle();
  const before = [await stage.stored(), await stage.asked()];
  for (const { address } of pages) {
    const query = address.endsWith("/cancel") ? `?subscription=${buyer.subscriptionId}` : "";
    for (const client of [buyer, createClient(app.url)])
      await (await client.fetch(pathTo(address) + query)).text();
  }
  expect([await stage.stored(), await stage.asked()]).toEqual(before);
});

/** Waits until what goes on behind responses is over: mails are sent, and no row changes. */
async function settle() {
  let last = "";
  const isStill = async () => {
    const [mails] = await app.sql<{ waiting: number }>(
      "SELECT count(*)::int AS waiting FROM outbox_emails WHERE next_attempt_at IS NOT NULL",
    );
    const now = JSON.stringify(await stage.stored());
    const same = now === last;
    last = now;
    return same && mails?.waiting === 0;
  };
  await expect.poll(isStill).toBe(true);
}

/** A limit counts the same at each of its routes. The test above sees that none is forgotten. */
const PLAYED = byRun({
  few: FLOODS.filter(({ limit }, at) => FLOODS.findIndex((other) => other.limit === limit) === at),
  many: FLOODS,
});

test.each(PLAYED)("$route: $limit", async ({ limit, flood }) => {
  const { limit: uses, windowSeconds } = RATE_LIMITS[limit];
  const allowed = Math.floor(uses * SCALE);
  const send = await flood();
  for (let n = 0; n < allowed; n++) {
    const { status } = await send(n);
    expect([n, status]).not.toEqual([n, 429]);
  }
  await settle();
  const before = [await stage.stored(), await stage.asked()];
  const rows = await stage.countRows();
  const logged = app.server.logs.length;
  for (let n = allowed; n < allowed + 3; n++) {
    const refused = await send(n);
    expect(refused.status).toBe(429);
    const retryAfter = Number(refused.headers.get("Retry-After"));
    expect(retryAfter).toBeGreaterThan(0);
    expect(retryAfter).toBeLessThanOrEqual(windowSeconds);
    const said = await refused.text();
    expect(said).toMatch(/Too many|too often/);
  }
  expect([await stage.stored(), await stage.asked()]).toEqual(before);
  expect(await stage.countRows()).toBeLessThanOrEqual(rows);
  const lines = [...(await app.server.allLogs()).slice(logged), ...stage.challenged().logs];
  expect(lines).toContainEqual(expect.objectContaining({ event: "rate_limited", rule: limit }));
  const other = await flood();
  expect((await other(0)).status).not.toBe(429);
});

/** Its limit depends on the purpose, which the body has. */
const LIMITED_BY_BODY = ["POST /api/passkeys/options"];

test.each(
  Object.entries(ROUTE_LIMITS).flatMap(([route, entry]) => {
    const limits = "limits" in entry ? entry.limits : [];
    const own = limits.filter((limit) => limit.endsWith("-user"));
    const isApi = route.startsWith("POST /api/") && !LIMITED_BY_BODY.includes(route);
    return isApi ? own.map((limit) => ({ route, limit })) : [];
  }),
)("$route is refused beyond $limit before its body is read", async ({ route, limit }) => {
  const person = await stage.person();
  const [user] = await app.sql<{ id: string }>("SELECT id FROM users WHERE email = $1", [
    person.email,
  ]);
  await app.sql("INSERT INTO rate_limits VALUES ($1, 1000, now() + interval '1 minute')", [
    limitRule(limit, user?.id ?? "").key,
  ]);
  const { status } = await person.fetch(route.replace("POST ", ""), {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: "not JSON",
  });
  expect(status).toBe(429);
});

/** A request that names nothing that exists; routes take from it what they know. */
function invented(key: string, address: string): Promise<Response> {
  const [method = "", route = ""] = key.split(" ");
  const name = randomUUID();
  const path = pathTo(route, { fileId: name, generationId: name });
  const fields = {
    email: `${name}@example.com`,
    password: `${name}-A-password`,
    code: "123456",
    purpose: "sign_in",
    response: JSON.stringify({ id: name }),
    token: name,
  };
  const body = {
    body: route.startsWith("/api/") ? JSON.stringify(fields) : new URLSearchParams(fields),
  };
  return fetch(`${app.url}${path}?token=${name}&state=${name}&code=${name}`, {
    method,
    redirect: "manual",
    headers: {
      "X-Forwarded-For": address,
      Authorization: `Bearer ${name}`,
      Cookie: `session=${name}; device=${name}; pending-sign-in=${name}`,
      "Stripe-Signature": `t=1,v1=${name}`,
    },
    ...(method === "GET" ? {} : body),
  });
}

test.each(someOf(Object.entries(ROUTE_LIMITS), 3))(
  "%s: what one network invents leaves rows up to its limit, and none beyond",
  async (key, entry) => {
    const limits = "limits" in entry ? entry.limits : [];
    const most = Math.max(0, ...limits.map((limit) => RATE_LIMITS[limit].limit * SCALE));
    const address = newAddress();
    const send = async (count: number) => {
      const responses = Array.from({ length: count }, () => invented(key, address));
      for (const reply of responses) await (await reply).text();
      await settle();
      return stage.countRows();
    };
    const before = await stage.countRows();
    const after = await send(Math.ceil(most) + 5);
    // An account that is made has rows of its own: a session, an email, its credits.
    expect(after - before).toBeLessThanOrEqual(5 * most + 5);
    expect(await send(10)).toBe(after);
  },
);
