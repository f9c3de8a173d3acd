import { expect, test } from "vitest";
import { cancellationSchema } from "~/server/openapi/payment-paths";
import { signUp } from "../../helpers/client";
import { press, requestsTo } from "../../helpers/payments";
import { deliverAll, subscriptionOf } from "../../helpers/reconciliation";
import { type PaymentServerUnderTest, withPaymentServer } from "../../helpers/with-payment-server";

const APPS = { stripe: withPaymentServer("stripe"), creem: withPaymentServer("creem") };
const BOTH = ["stripe", "creem"] as const;
const CANCEL = "/api/payments/subscription/cancel";
const RESUME = "/api/payments/subscription/resume";

async function subscriber(app: PaymentServerUnderTest) {
  const purchase = await app.buy("plan");
  await deliverAll(app, purchase.webhooks);
  const providerId = subscriptionOf(purchase);
  return {
    ...purchase,
    providerId,
    atProvider: (how: string) =>
      app.hold(() => app.control(app.provider, "POST", `/subscriptions/${providerId}/${how}`)),
    async row() {
      const [row] = await app.sql<{ id: string; ends: boolean; status: string }>(
        `SELECT id, cancel_at_period_end AS ends, status::text FROM subscriptions
         WHERE provider_subscription_id = $1`,
        [providerId],
      );
      if (!row) throw new Error(`${providerId} is not here`);
      return row;
    },
    async endsThere() {
      const { body } = await app.control(app.provider, "GET", "/state");
      const { subscriptions } = body as {
        subscriptions: Record<string, { status: string; cancelAt?: number | null }>;
      };
      const { status, cancelAt } = subscriptions[providerId] ?? {};
      return status === "scheduled_cancel" || (cancelAt ?? null) !== null;
    },
  };
}

test.each(BOTH)("%s: a cancelled plan is kept, and asking again says the same", async (name) => {
  const { person, row, endsThere } = await subscriber(APPS[name]);
  const canceled = await person.json("POST", CANCEL, {});
  const { id } = await row();
  const kept = await person.json("POST", RESUME, {});
  expect(kept).toMatchObject({
    status: 200,
    body: { ...canceled.body, subscriptionId: id, status: "active", cancelAtPeriodEnd: false },
  });
  cancellationSchema.strict().parse(kept.body);
  expect(await endsThere()).toBe(false);
  expect(await row()).toMatchObject({ ends: false, status: "active" });
  const again = await person.json("POST", RESUME, { subscriptionId: id });
  expect([again.status, again.body]).toEqual([200, kept.body]);
  // And it can be cancelled once more, at once.
  expect((await person.json("POST", CANCEL, {})).body).toEqual(canceled.body);
  expect(await endsThere()).toBe(true);
});

test("at Stripe the end that the portal has scheduled as a date is taken back, too", async () => {
  const app = APPS.stripe;
  const { person, providerId, row, endsThere } = await subscriber(app);
  const { body } = await person.json("POST", "/api/payments/portal");
  const inPortal = (intent: string) =>
    app.hold(() => press(String(body.url), { intent, subscription: providerId }));
  await deliverAll(app, await inPortal("cancel_at_period_end"));
  expect(await row()).toMatchObject({ ends: true });
  expect((await person.json("POST", RESUME, {})).status).toBe(200);
  expect(await endsThere()).toBe(false);
  const [request] = (await requestsTo(app, /^\/v1\/subscriptions\//)).slice(-1);
  expect(request?.body).toEqual({ cancel_at: "" });
});

test.each(BOTH)("%s: the portal can take a cancellation back", async (name) => {
  const app = APPS[name];
  const { person, providerId, row, endsThere } = await subscriber(app);
  await app.sql("UPDATE users SET email_verified_at = now() WHERE email = $1", [person.email]);
  const { body } = await person.json("POST", "/api/payments/portal");
  const inPortal = (intent: string) =>
    app.hold(() => press(String(body.url), { intent, subscription: providerId }));
  await deliverAll(app, await inPortal("cancel_at_period_end"));
  expect(await row()).toMatchObject({ ends: true });
  expect(await (await fetch(String(body.url))).text()).toContain("Keep this plan");
  await deliverAll(app, await inPortal("keep"));
  expect(await row()).toMatchObject({ ends: false });
  expect(await endsThere()).toBe(false);
});

test.each(BOTH)("%s: a plan that has ended can't be kept", async (name) => {
  const { person, row, atProvider } = await subscriber(APPS[name]);
  await person.json("POST", CANCEL, {});
  await atProvider("cancel");
  const refused = { status: 409, body: { code: "subscription_ended" } };
  expect(await person.json("POST", RESUME, {})).toMatchObject(refused);
  expect(await row()).toMatchObject({ status: "canceled" });
  const { id } = await row();
  expect(await person.json("POST", RESUME, { subscriptionId: id })).toMatchObject(refused);
  const path = `/en/account/billing/resume?subscription=${id}`;
  const page = await person.post(path, {});
  expect(page.status).toBe(409);
  expect(await page.text()).toContain("This plan has ended, so it can’t be kept.");
});

test("nobody keeps another person's plan, and without one there is none to keep", async () => {
  const app = APPS.stripe;
  const { person, row, endsThere } = await subscriber(app);
  await person.json("POST", CANCEL, {});
  const { id } = await row();
  const stranger = await signUp(app.url);
  const none = { status: 404, body: { code: "no_subscription" } };
  for (const body of [{}, { subscriptionId: id }, { subscriptionId: "no-id" }])
    expect(await stranger.json("POST", RESUME, body)).toMatchObject(none);
  const path = `/en/account/billing/resume?subscription=${id}`;
  expect((await stranger.fetch(path)).status).toBe(404);
  expect((await stranger.post(path, {})).status).toBe(404);
  const anonymous = await fetch(`${app.url}${RESUME}`, { method: "POST", body: "{}" });
  expect(anonymous.status).toBe(401);
  expect(await endsThere()).toBe(true);
});

test.each(BOTH)("%s: a provider that can't be asked keeps nothing", async (name) => {
  const app = APPS[name];
  const { person, row } = await subscriber(app);
  await person.json("POST", CANCEL, {});
  const away = await app.startAnother({
    [name === "stripe" ? "PROVIDER_A_API_BASE" : "PROVIDER_B_API_BASE"]: "http://127.0.0.1:1",
  });
  try {
    expect(await person.json("POST", `${away.url}${RESUME}`, {})).toMatchObject({ status: 502 });
  } finally {
    await away.stop();
  }
  expect(await row()).toMatchObject({ ends: true });
});
