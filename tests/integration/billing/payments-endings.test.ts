import { expect, test } from "vitest";
import { createPaymentProvider } from "~/services/payments/get-payment-provider.server";
import type { RecordedRequest } from "../../../scripts/sandbox/payments/request-log";
import { parse } from "../../fixtures/env";
import { PACK, priceVariable } from "../../fixtures/sold";
import {
  BUYER,
  buy,
  createRequest,
  type ProviderName,
  startPayments,
} from "../../helpers/payments";

const BOTH = ["stripe", "creem"] as const;

/** Buys a plan. Returns its ids and the means to change and end it. */
async function subscribe(name: ProviderName) {
  const payments = await startPayments();
  const { deliveries } = await buy(payments, name, "plan");
  const changed = deliveries[1]?.events[0];
  if (changed?.kind !== "subscription_changed") throw new Error("no subscription");
  const { providerSubscriptionId: id, customerId, currentPeriodEnd } = changed;
  const provider = payments[name];
  return {
    id,
    customerId,
    currentPeriodEnd,
    provider,
    change: (how: string) => payments.control(name, "POST", `/subscriptions/${id}/${how}`),
    control: payments.control,
    check: () => provider.checkSubscription({ providerSubscriptionId: id }),
    cancel: (when: "period_end" | "now" = "period_end") =>
      provider.cancelSubscription({ providerSubscriptionId: id, when }),
    async requests() {
      const { body } = await payments.control(name, "GET", "/requests");
      return (body as RecordedRequest[]).map(({ method, path }) => `${method} ${path}`);
    },
  };
}

const ENDED = { status: "ended", endedAt: expect.any(Date) };

test.each(BOTH)(
  "%s says whether a subscription renews, ends, has ended or is unknown",
  async (name) => {
    const plan = await subscribe(name);
    expect(await plan.check()).toMatchObject({ status: "renewing" });
    const scheduled = { status: "scheduled", currentPeriodEnd: plan.currentPeriodEnd };
    expect(await plan.cancel()).toEqual(scheduled);
    expect(await plan.check()).toEqual(scheduled);
    await plan.change("keep");
    expect(await plan.check()).toMatchObject({ status: "renewing" });
    await plan.change("cancel");
    expect(await plan.check()).toEqual(ENDED);
    await plan.change("forget");
    expect(await plan.check()).toEqual({ status: "not_found" });
  },
);

test.each(BOTH)("%s: cancelling what has ended says so, and sends no change", async (name) => {
  const plan = await subscribe(name);
  await plan.change("cancel");
  const before = (await plan.requests()).length;
  expect(await plan.cancel()).toEqual(ENDED);
  expect(await plan.cancel("now")).toEqual(ENDED);
  const asked = (await plan.requests()).slice(before);
  expect(asked.filter((request) => !request.startsWith("GET"))).toEqual([]);
});

test.each(BOTH)(
  "%s: a paused subscription ends at once: it would never reach its period's end",
  async (name) => {
    const plan = await subscribe(name);
    await plan.change("pause");
    expect(await plan.cancel()).toEqual(ENDED);
    expect(await plan.check()).toEqual(ENDED);
  },
);

test.each(BOTH)("%s: a scheduled end can be brought forward", async (name) => {
  const plan = await subscribe(name);
  await plan.cancel();
  expect(await plan.cancel("now")).toEqual(ENDED);
});

test.each(BOTH)("%s: ten cancellations at once all succeed", async (name) => {
  const plan = await subscribe(name);
  if (name === "stripe") await plan.change("schedule");
  const results = await Promise.all(Array.from({ length: 10 }, () => plan.cancel()));
  expect(new Set(results.map(({ status }) => status))).toEqual(new Set(["scheduled"]));
});

test("at Creem an expired subscription ends at once, and its payment can't be collected any more", async () => {
  const plan = await subscribe("creem");
  await plan.change("expire");
  expect(await plan.check()).toMatchObject({ status: "renewing" });
  expect(await plan.cancel()).toEqual(ENDED);
  expect(await plan.change("collect")).toMatchObject({ status: 404 });
});

test("at Stripe a planned change is dropped, and then the subscription ends with its period", async () => {
  const plan = await subscribe("stripe");
  const { body } = await plan.change("schedule");
  const { id: schedule } = body as { id: string };
  const before = (await plan.requests()).length;
  expect(await plan.cancel()).toEqual({
    status: "scheduled",
    currentPeriodEnd: plan.currentPeriodEnd,
  });
  expect((await plan.requests()).slice(before)).toEqual([
    `GET /v1/subscriptions/${plan.id}`,
    `POST /v1/subscription_schedules/${schedule}/release`,
    `POST /v1/subscriptions/${plan.id}`,
  ]);
});

test.each(BOTH)("%s: a refused key never says that a subscription is unknown", async (name) => {
  const { sandbox } = await startPayments();
  const env = parse({
    NEXT_PUBLIC_SITE_URL: "http://localhost:3000",
    ...sandbox.env,
    PROVIDER_A_SECRET_KEY: "sk_test_sandbox_other",
    PROVIDER_B_API_KEY: "creem_test_sandbox_other",
  });
  const provider = createPaymentProvider(name, env.payments);
  for (const ask of [
    () => provider.checkSubscription({ providerSubscriptionId: "sub_gone" }),
    () => provider.cancelSubscription({ providerSubscriptionId: "sub_gone", when: "period_end" }),
  ])
    await expect(ask()).rejects.toMatchObject({ code: "provider_error", status: 502 });
});

test.each(BOTH)(
  "%s: a 404 that is not about the object is an error, not a response",
  async (name) => {
    const { sandbox } = await startPayments();
    const { PROVIDER_A_API_BASE, PROVIDER_B_API_BASE } = sandbox.env;
    const env = parse({
      NEXT_PUBLIC_SITE_URL: "http://localhost:3000",
      ...sandbox.env,
      // No such path: as behind a gateway that is set up wrongly.
      PROVIDER_A_API_BASE: `${PROVIDER_A_API_BASE}/elsewhere`,
      PROVIDER_B_API_BASE: `${PROVIDER_B_API_BASE}/elsewhere`,
    });
    const provider = createPaymentProvider(name, env.payments);
    await expect(
      provider.checkSubscription({ providerSubscriptionId: "sub_gone" }),
    ).rejects.toMatchObject({ code: "provider_error" });
  },
);

test.each(BOTH)(
  "%s: a customer it does not know is left out, once, under another key",
  async (name) => {
    const plan = await subscribe(name);
    await plan.control(name, "POST", `/customers/${plan.customerId}/forget`);
    const request = createRequest({ skuKey: PACK.skuKey });
    const known = { ...request, customerId: plan.customerId };
    const checkout = await plan.provider.createPackCheckout(known);
    const { body } = await plan.control(name, "GET", "/requests");
    const [refused, created] = (body as RecordedRequest[]).slice(-2);
    expect(refused?.status).toBeGreaterThanOrEqual(400);
    expect(created?.status).toBe(200);
    const keyOf = (one: RecordedRequest | undefined) => {
      if (name === "stripe") return one?.headers["idempotency-key"];
      return one && (one.body as { request_id: string }).request_id;
    };
    expect([keyOf(refused), keyOf(created)]).toEqual([
      request.requestId,
      `${request.requestId}:new`,
    ]);
    expect(JSON.stringify(created?.body)).toContain(BUYER.email);
    expect(JSON.stringify(created?.body)).not.toContain(plan.customerId);
    // A double click still gets one session at Stripe, which knows keys.
    if (name === "stripe") expect(await plan.provider.createPackCheckout(known)).toEqual(checkout);
  },
);

test("at Stripe another refusal is not tried again without the customer", async () => {
  const plan = await subscribe("stripe");
  const { sandbox, control } = await startPayments();
  const env = parse({
    NEXT_PUBLIC_SITE_URL: "http://localhost:3000",
    ...sandbox.env,
    [priceVariable(PACK.skuKey)]: "price_gone",
  });
  const provider = createPaymentProvider("stripe", env.payments);
  await expect(
    provider.createPackCheckout({
      ...createRequest({ skuKey: PACK.skuKey }),
      customerId: plan.customerId,
    }),
  ).rejects.toMatchObject({ code: "provider_error" });
  const { body } = await control("stripe", "GET", "/requests");
  expect(body).toHaveLength(1);
});
