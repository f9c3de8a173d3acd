import { expect, test } from "vitest";
import type { RecordedRequest } from "../../../scripts/sandbox/payments/request-log";
import {
  credits,
  LAST_PACK,
  MIDDLE_PACK,
  nameOf,
  PACK,
  PLAN,
  shown,
  TOP_PLAN,
  TOP_YEARLY,
} from "../../fixtures/sold";
import { BUYER, buy, createRequest, press, startPayments } from "../../helpers/payments";

const PROVIDER_ERROR = { code: "provider_error", status: 502 };

test("the sandbox's environment is a complete configuration for both providers", async () => {
  const { env, stripe, creem } = await startPayments();
  expect(env.incomplete.payments).toEqual([]);
  expect(env.payments).toMatchObject({ enabled: true, provider: "stripe", missingPrices: [] });
  expect(env.warnings.filter((warning) => /PROVIDER/.test(warning))).toEqual([]);
  for (const use of ["api", "webhook", PACK.skuKey, TOP_YEARLY] as const) {
    expect(stripe.listMissing(use)).toEqual([]);
    expect(creem.listMissing(use)).toEqual([]);
  }
});

test("a pack's checkout asks for everything that the purchase needs, by card only", async () => {
  const { stripe, control, env } = await startPayments();
  const request = createRequest({ skuKey: LAST_PACK.skuKey });
  const checkout = await stripe.createPackCheckout(request);
  expect(checkout.sessionId).toMatch(/^cs_test_/);
  expect(checkout.url.startsWith(`${env.payments.stripe.apiBase}/c/pay/`)).toBe(true);

  const metadata = { user_id: BUYER.userId, site: BUYER.site, sku_key: LAST_PACK.skuKey };
  const { body } = await control("stripe", "GET", "/requests");
  expect(body).toMatchObject([
    {
      method: "POST",
      path: "/v1/checkout/sessions",
      status: 200,
      headers: {
        "content-type": "application/x-www-form-urlencoded",
        "idempotency-key": request.requestId,
      },
    },
  ] satisfies Partial<RecordedRequest>[]);
  expect((body as RecordedRequest[])[0]?.body).toEqual({
    mode: "payment",
    allowed_payment_method_types: ["card"],
    line_items: [{ price: `price_sandbox_${LAST_PACK.skuKey}`, quantity: "1" }],
    client_reference_id: BUYER.userId,
    metadata,
    payment_intent_data: { metadata },
    customer_email: BUYER.email,
    success_url: BUYER.successUrl,
    cancel_url: BUYER.cancelUrl,
  });
});

test("a subscription's checkout has its metadata on the subscription, and a known customer", async () => {
  const payments = await startPayments();
  const first = await buy(payments, "stripe", "plan");
  const completed = first.deliveries[0]?.events[0];
  const customerId = completed?.kind === "checkout_completed" ? completed.customerId : null;
  expect(customerId).toMatch(/^cus_/);

  await payments.stripe.createSubscriptionCheckout({
    ...createRequest({ planKey: TOP_PLAN.planKey, period: "year" as const }),
    customerId,
  });
  const { body } = await payments.control("stripe", "GET", "/requests");
  const metadata = {
    user_id: BUYER.userId,
    site: BUYER.site,
    plan_key: TOP_PLAN.planKey,
    period: "year",
  };
  expect((body as RecordedRequest[]).at(-1)?.body).toEqual({
    mode: "subscription",
    allowed_payment_method_types: ["card"],
    line_items: [{ price: `price_sandbox_${TOP_YEARLY}`, quantity: "1" }],
    client_reference_id: BUYER.userId,
    metadata,
    subscription_data: { metadata },
    customer: customerId,
    success_url: BUYER.successUrl,
    cancel_url: BUYER.cancelUrl,
  });
});

test("the same request id gets the same session, and with other parameters an error", async () => {
  const { stripe } = await startPayments();
  const request = createRequest({ planKey: PLAN.planKey, period: "month" as const });
  const first = await stripe.createSubscriptionCheckout(request);
  expect(await stripe.createSubscriptionCheckout(request)).toEqual(first);
  await expect(
    stripe.createSubscriptionCheckout({ ...request, period: "year" }),
  ).rejects.toMatchObject(PROVIDER_ERROR);
  const other = createRequest({ planKey: PLAN.planKey, period: "month" as const });
  expect((await stripe.createSubscriptionCheckout(other)).sessionId).not.toBe(first.sessionId);
});

test("a refusal has the provider's reason for the log, and no address in its words", async () => {
  const { stripe } = await startPayments();
  const request = createRequest({ skuKey: PACK.skuKey });
  const invalid = await stripe
    .createPackCheckout({ ...request, email: "no address" })
    .catch((error: unknown) => error);
  expect(invalid).toMatchObject({
    ...PROVIDER_ERROR,
    publicMessage: expect.stringContaining("Nothing was charged"),
    cause: { message: expect.stringMatching(/param customer_email/) },
  });
  expect(String((invalid as Error).cause)).not.toContain("no address");
});

test("the hosted page declines without a trace, and pays once", async () => {
  const payments = await startPayments();
  const { stripe, receiver } = payments;
  const checkout = await stripe.createPackCheckout(createRequest({ skuKey: MIDDLE_PACK.skuKey }));
  const page = await (await fetch(checkout.url)).text();
  expect(page).toContain(credits(MIDDLE_PACK.credits));
  expect(page).toContain(shown(MIDDLE_PACK.amount));
  expect(page).toContain(`href="${BUYER.cancelUrl}"`);

  const declined = await press(checkout.url, { intent: "decline" });
  expect(declined.status).toBe(402);
  expect(await declined.text()).toContain("Your card was declined. Nothing was charged");
  expect(receiver.received).toEqual([]);

  for (let presses = 0; presses < 2; presses += 1) {
    const paid = await press(checkout.url, { intent: "pay" });
    expect([paid.status, paid.headers.get("Location")]).toEqual([303, BUYER.successUrl]);
  }
  expect(receiver.received.map(({ type }) => type)).toEqual(["checkout.session.completed"]);
  expect(await (await fetch(checkout.url)).text()).toContain("This checkout is paid.");
});

test("a cancellation is scheduled for the period's end, and doing it again changes nothing", async () => {
  const payments = await startPayments();
  const { deliveries } = await buy(payments, "stripe", "plan");
  const created = deliveries[1]?.events[0];
  if (created?.kind !== "subscription_changed") throw new Error("no subscription");
  const { providerSubscriptionId, currentPeriodEnd } = created;

  const scheduled = { status: "scheduled", currentPeriodEnd };
  const { stripe, receiver, control } = payments;
  expect(await stripe.cancelSubscription({ providerSubscriptionId, when: "period_end" })).toEqual(
    scheduled,
  );
  expect(await stripe.cancelSubscription({ providerSubscriptionId, when: "period_end" })).toEqual(
    scheduled,
  );
  await control("stripe", "POST", "/deliveries/settle");
  expect(receiver.received.slice(deliveries.length).map(({ type }) => type)).toEqual([
    "customer.subscription.updated",
  ]);
  expect(
    await stripe.cancelSubscription({ providerSubscriptionId: "sub_gone", when: "now" }),
  ).toEqual({
    status: "not_found",
  });
});

test("the portal opens for a customer, shows the subscription and cancels it", async () => {
  const payments = await startPayments();
  const { deliveries } = await buy(payments, "stripe", "plan");
  const created = deliveries[1]?.events[0];
  if (created?.kind !== "subscription_changed") throw new Error("no subscription");
  const returnUrl = "http://localhost:3000/en/account";
  const { stripe } = payments;
  const portal = await stripe.createPortal({ customerId: created.customerId ?? "", returnUrl });
  if (portal.status !== "created") throw new Error("no portal");

  const page = await (await fetch(portal.url)).text();
  expect(page).toContain(nameOf(PLAN));
  expect(page).toContain(`href="${returnUrl}"`);
  const subscription = created.providerSubscriptionId;
  await press(portal.url, { intent: "cancel_at_period_end", subscription });
  expect(await (await fetch(portal.url)).text()).toContain("<dt>Ends</dt>");
  await press(portal.url, { intent: "cancel_now", subscription });
  expect(await (await fetch(portal.url)).text()).not.toContain("Cancel now");

  expect(await stripe.createPortal({ customerId: "cus_gone", returnUrl })).toEqual({
    status: "not_found",
  });
});
