import { expect, onTestFinished, test } from "vitest";
import { checkoutSchema } from "~/server/openapi/payment-paths";
import * as sold from "../../fixtures/sold";
import { createClient, signUp } from "../../helpers/client";
import { press, requestsTo } from "../../helpers/payments";
import { postWithKey } from "../../helpers/post-with-key";
import { withPaymentServer } from "../../helpers/with-payment-server";

const [stripe, creem] = [withPaymentServer("stripe"), withPaymentServer("creem")];
const APPS = { stripe, creem };
const BOTH = ["stripe", "creem"] as const;

const requestsOf = (name: "stripe" | "creem", path: RegExp) => requestsTo(APPS[name], path);

const PACK = "/api/payments/checkout";
const PLAN = "/api/payments/subscription/checkout";
const STARTER = { planKey: sold.PLAN.planKey, period: "month" };

async function subscriber(app: (typeof APPS)["stripe"]) {
  const { person, webhooks } = await app.buy("plan");
  for (const webhook of webhooks) await app.deliver(webhook);
  return person;
}

test.each(BOTH)(
  "%s: a pack's and a plan's checkout return a hosted page, and charge nothing",
  async (name) => {
    const person = await signUp(APPS[name].url);
    for (const [path, body] of [
      [PACK, { skuKey: sold.PACK.skuKey }],
      [PLAN, STARTER],
    ] as const) {
      const reply = await person.json("POST", path, body);
      expect(reply).toMatchObject({
        status: 200,
        body: {
          provider: name,
          sessionId: expect.any(String),
          url: expect.stringMatching(/^http/),
        },
      });
      checkoutSchema.strict().parse(reply.body);
      expect((await fetch(String(reply.body.url))).status).toBe(200);
    }
    expect((await person.json("GET", "/api/account/credits")).body).toMatchObject({ balance: 0 });
  },
);

test.each([
  [PACK, {}, "invalid_input"],
  [PACK, { skuKey: 1 }, "invalid_input"],
  [PACK, { skuKey: "" }, "invalid_input"],
  [PACK, { skuKey: "credits_huge" }, "unknown_sku"],
  [PACK, { skuKey: sold.PLAN.planKey }, "unknown_sku"],
  [PACK, [], "invalid_input"],
  [PLAN, { planKey: sold.PLAN.planKey }, "invalid_input"],
  [PLAN, { planKey: sold.PLAN.planKey, period: "week" }, "invalid_input"],
  [PLAN, { period: "month" }, "invalid_input"],
  [PLAN, { planKey: "enterprise", period: "month" }, "unknown_plan"],
])("%s with %j is a 400 %s", async (path, body, code) => {
  const person = await signUp(stripe.url);
  expect(await person.json("POST", path, body)).toMatchObject({ status: 400, body: { code } });
});

test.each([PACK, PLAN, "/api/payments/subscription/cancel", "/api/payments/portal"])(
  "%s without a session is a 401",
  async (path) => {
    const reply = await createClient(stripe.url).json("POST", path, {});
    expect(reply).toMatchObject({ status: 401, body: { code: "unauthenticated" } });
  },
);

test("the same key and body get the same response session; another body is a 422", async () => {
  const person = await signUp(creem.url);
  const first = await postWithKey(person, PACK, "key-1", { skuKey: sold.PACK.skuKey });
  expect(first.status).toBe(200);
  expect(await postWithKey(person, PACK, "key-1", { skuKey: sold.PACK.skuKey })).toEqual(first);
  expect(await postWithKey(person, PACK, "key-1", { skuKey: sold.LAST_PACK.skuKey })).toMatchObject(
    {
      status: 422,
      body: { code: "idempotency_mismatch" },
    },
  );
  // A key belongs to its user and its route.
  expect((await postWithKey(person, PLAN, "key-1", STARTER)).status).toBe(200);
  const other = await signUp(creem.url);
  const theirs = await postWithKey(other, PACK, "key-1", { skuKey: sold.PACK.skuKey });
  expect(theirs.body.sessionId).not.toBe(first.body.sessionId);
});

test.each(BOTH)(
  "%s: a key returns its session while that lives, then opens a new one",
  async (name) => {
    const app = APPS[name];
    const person = await signUp(app.url);
    const send = () => postWithKey(person, PACK, "key-old", { skuKey: sold.PACK.skuKey });
    const first = await send();
    const [kept] = await app.sql<{ hours: number }>(
      `SELECT extract(epoch FROM answer_until - now())::float / 3600 AS hours
     FROM idempotency_keys WHERE answer ->> 'sessionId' = $1`,
      [first.body.sessionId],
    );
    expect(kept?.hours).toBeGreaterThan(23.9);
    expect(kept?.hours).toBeLessThanOrEqual(24);

    await app.sql(
      "UPDATE idempotency_keys SET answer_until = now() WHERE answer ->> 'sessionId' = $1",
      [first.body.sessionId],
    );
    const again = await send();
    expect(again.status).toBe(200);
    expect(again.body.sessionId).not.toBe(first.body.sessionId);
    expect(await send()).toEqual(again);
  },
);

test("two requests under one key at once open one checkout", async () => {
  const person = await signUp(creem.url);
  const send = () => postWithKey(person, PACK, "key-race", { skuKey: sold.PACK.skuKey });
  const responses = await Promise.all([send(), send(), send(), send()]);
  const sessions = new Set(
    responses.filter(({ status }) => status === 200).map(({ body }) => body.sessionId),
  );
  expect(sessions.size).toBe(1);
  for (const { status, body } of responses)
    if (status !== 200) expect([status, body.code]).toEqual([409, "idempotency_in_progress"]);
});

test.each(BOTH)("%s: a double click on a plan opens one checkout", async (name) => {
  const person = await signUp(APPS[name].url);
  const clicks = await Promise.all([1, 2, 3].map(() => person.json("POST", PLAN, STARTER)));
  expect(clicks.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(new Set(clicks.map(({ body }) => body.sessionId)).size).toBe(1);
  const other = await person.json("POST", PLAN, { planKey: sold.TOP_PLAN.planKey, period: "year" });
  expect(other.body.sessionId).not.toBe(clicks[0]?.body.sessionId);
});

test.each(BOTH)(
  "%s: a subscriber gets a 409 with the next step, for another plan too",
  async (name) => {
    const person = await subscriber(APPS[name]);
    for (const body of [STARTER, { planKey: sold.TOP_PLAN.planKey, period: "year" }]) {
      expect(await person.json("POST", PLAN, body)).toMatchObject({
        status: 409,
        body: { code: "already_subscribed", portal: "/api/payments/portal" },
      });
    }
    expect((await person.json("POST", PACK, { skuKey: sold.PACK.skuKey })).status).toBe(200);
  },
);

test("at Stripe a returning buyer is the same customer", async () => {
  const person = await subscriber(stripe);
  await person.json("POST", PACK, { skuKey: sold.PACK.skuKey });
  const sent = (await requestsOf("stripe", /checkout\/sessions/)).at(-1);
  expect(sent?.body).toMatchObject({ customer: expect.stringMatching(/^cus_/) });
});

test("an unreachable provider is a 502, and stays one under the same key", async () => {
  const server = await stripe.startAnother({ PROVIDER_A_API_BASE: "http://127.0.0.1:9" });
  onTestFinished(() => server.stop());
  const person = await signUp(server.url);
  const pack = { skuKey: sold.PACK.skuKey };
  const failed = { status: 502, body: { code: "provider_error" } };
  expect(await postWithKey(person, PACK, "key-away", pack)).toMatchObject(failed);
  expect(await postWithKey(person, PACK, "key-away", pack)).toMatchObject(failed);
  expect(await person.json("POST", PLAN, STARTER)).toMatchObject(failed);
});

test.each([
  ["payments off", { NEXT_PUBLIC_ENABLE_PAYMENTS: "" }],
  ["no API key", { PROVIDER_A_SECRET_KEY: "" }],
  [
    "no price",
    { [sold.priceVariable(sold.PACK.skuKey)]: "", [sold.priceVariable(sold.PLAN_MONTHLY)]: "" },
  ],
])("with %s a checkout is a 503, and a key is not used up by it", async (_what, env) => {
  const server = await stripe.startAnother(env);
  onTestFinished(() => server.stop());
  const person = await signUp(server.url);
  for (const [path, body] of [
    [PACK, { skuKey: sold.PACK.skuKey }],
    [PLAN, STARTER],
  ] as const)
    expect(await postWithKey(person, path, "key-off", body)).toMatchObject({
      status: 503,
      body: { code: "payments_unavailable" },
    });
  const { id } =
    (
      await stripe.sql<{ id: string }>("SELECT id FROM users WHERE email = $1", [person.email])
    )[0] ?? {};
  expect(await stripe.sql("SELECT 1 FROM idempotency_keys WHERE user_id = $1", [id])).toEqual([]);
});

test("the return is verified if the provider signed it, deferred otherwise, and grants nothing", async () => {
  const person = await signUp(creem.url);
  const { body } = await person.json("POST", PACK, { skuKey: sold.PACK.skuKey });
  const paid = await press(String(body.url), { intent: "pay" });
  const parameters = Object.fromEntries(new URL(paid.headers.get("Location") ?? "").searchParams);
  const confirm = (sent: unknown, app = creem) =>
    createClient(app.url).json("POST", "/api/payments/confirm", sent);
  expect(await confirm(parameters)).toMatchObject({
    status: 200,
    body: { status: "verified", fulfilled: false },
  });
  for (const sent of [
    {},
    { ...parameters, order_id: "ord_other" },
    { ...parameters, signature: "" },
    { signature: "0".repeat(64) },
  ])
    expect((await confirm(sent)).body).toEqual({ status: "deferred", fulfilled: false });
  expect((await confirm(parameters, stripe)).body).toMatchObject({ status: "deferred" });
  for (const sent of [null, [], "x", { a: { b: "c" } }, { a: 1 }])
    expect(await confirm(sent)).toMatchObject({ status: 400, body: { code: "invalid_input" } });
  expect((await person.json("GET", "/api/account/credits")).body).toMatchObject({ balance: 0 });
});

test("the 21st checkout within a minute is a 429, whatever is in its body", async () => {
  const server = await stripe.startAnother({ RATE_LIMIT_SCALE: "0.1" });
  onTestFinished(() => server.stop());
  const person = await signUp(stripe.url);
  const send = (path: string, body: object) =>
    fetch(server.url + path, {
      method: "POST",
      headers: { Cookie: person.cookie(), "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
  const statuses = [];
  for (let at = 0; at < 3; at += 1)
    statuses.push((await send(PACK, { skuKey: sold.PACK.skuKey })).status);
  expect(statuses).toEqual([200, 200, 429]);
  expect((await send(PLAN, STARTER)).headers.get("retry-after")).toMatch(/^\d+$/);
  expect((await send(PACK, { skuKey: "x" })).status).toBe(429);
});
