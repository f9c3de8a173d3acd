import { expect, test } from "vitest";
import type { RecordedRequest } from "../../../scripts/sandbox/payments/request-log";
import { nameOf, PACK, PLAN, shown, TOP_PLAN, TOP_YEARLY } from "../../fixtures/sold";
import { BUYER, buy, createRequest, press, startPayments } from "../../helpers/payments";

test("a pack's checkout asks for everything that the purchase needs", async () => {
  const { creem, control, env } = await startPayments();
  const request = createRequest({ skuKey: PACK.skuKey });
  const checkout = await creem.createPackCheckout(request);
  expect(checkout.sessionId).toMatch(/^ch_/);
  expect(checkout.url.startsWith(`${env.payments.creem.apiBase}/checkout/`)).toBe(true);
  const { body } = await control("creem", "GET", "/requests");
  expect(body).toMatchObject([{ method: "POST", path: "/v1/checkouts", status: 200 }]);
  expect((body as RecordedRequest[])[0]?.body).toEqual({
    product_id: `prod_sandbox_${PACK.skuKey}`,
    request_id: request.requestId,
    units: 1,
    customer: { email: BUYER.email },
    success_url: BUYER.successUrl,
    metadata: {
      user_id: BUYER.userId,
      site: BUYER.site,
      sku_key: PACK.skuKey,
      provider: "creem",
      request_id: request.requestId,
    },
  });
});

test("a subscription's checkout names its plan, and the customer by one thing only", async () => {
  const payments = await startPayments();
  const { deliveries } = await buy(payments, "creem", "pack");
  const completed = deliveries[0]?.events[0];
  const customerId = completed?.kind === "checkout_completed" ? completed.customerId : null;
  const request = createRequest({ planKey: TOP_PLAN.planKey, period: "year" as const });
  await payments.creem.createSubscriptionCheckout({ ...request, customerId });
  const { body } = await payments.control("creem", "GET", "/requests");
  expect((body as RecordedRequest[]).at(-1)?.body).toMatchObject({
    product_id: `prod_sandbox_${TOP_YEARLY}`,
    customer: { id: customerId },
    metadata: {
      user_id: BUYER.userId,
      site: BUYER.site,
      plan_key: TOP_PLAN.planKey,
      period: "year",
      provider: "creem",
    },
  });
  expect((body as RecordedRequest[]).at(-1)?.body).not.toHaveProperty("customer.email");
});

test.each(["pack", "plan"] as const)("the return from a paid %s is signed", async (item) => {
  const payments = await startPayments();
  const { returnUrl, checkout } = await buy(payments, "creem", item);
  const url = new URL(returnUrl);
  const parameters = [...url.searchParams];
  expect(url.origin + url.pathname).toBe(BUYER.successUrl);
  expect(parameters.map(([name]) => name)).toEqual([
    "checkout_id",
    "order_id",
    "customer_id",
    ...(item === "plan" ? ["subscription_id"] : []),
    "product_id",
    "request_id",
    "signature",
  ]);
  expect(url.searchParams.get("checkout_id")).toBe(checkout.sessionId);
  expect(payments.creem.verifyReturn(parameters)).toBe(true);
  expect(payments.creem.verifyReturn(parameters.toReversed())).toBe(false);
  expect(payments.creem.verifyReturn(parameters.slice(1))).toBe(false);
  expect(payments.stripe.verifyReturn(parameters)).toBe(false);
});

test("the hosted page declines without a trace, and pays once", async () => {
  const { creem, receiver } = await startPayments();
  const checkout = await creem.createSubscriptionCheckout(
    createRequest({ planKey: TOP_PLAN.planKey, period: "month" as const }),
  );
  const page = await (await fetch(checkout.url)).text();
  expect(page).toContain(nameOf(TOP_PLAN));
  expect(page).toContain(shown(TOP_PLAN.amounts.month));
  expect((await press(checkout.url, { intent: "decline" })).status).toBe(402);
  expect(receiver.received).toEqual([]);
  const first = await press(checkout.url, { intent: "pay" });
  const second = await press(checkout.url, { intent: "pay" });
  expect(second.headers.get("Location")).toBe(first.headers.get("Location"));
  expect(receiver.received.map(({ type }) => type)).toEqual([
    "checkout.completed",
    "subscription.active",
    "subscription.paid",
  ]);
});

test("a cancellation is scheduled for the period's end, and doing it again changes nothing", async () => {
  const payments = await startPayments();
  const { deliveries } = await buy(payments, "creem", "plan");
  const active = deliveries[1]?.events[0];
  if (active?.kind !== "subscription_changed") throw new Error("no subscription");
  const { providerSubscriptionId, currentPeriodEnd } = active;
  const { creem, receiver, control } = payments;
  const scheduled = { status: "scheduled", currentPeriodEnd };
  expect(await creem.cancelSubscription({ providerSubscriptionId, when: "period_end" })).toEqual(
    scheduled,
  );
  expect(await creem.cancelSubscription({ providerSubscriptionId, when: "period_end" })).toEqual(
    scheduled,
  );
  await control("creem", "POST", "/deliveries/settle");
  expect(receiver.received.slice(deliveries.length).map(({ type }) => type)).toEqual([
    "subscription.scheduled_cancel",
  ]);
  const { body } = await control("creem", "GET", "/requests");
  const posts = (body as RecordedRequest[]).filter(({ path }) => path.endsWith("/cancel"));
  expect(posts).toHaveLength(1);
  expect(posts[0]).toMatchObject({
    path: `/v1/subscriptions/${providerSubscriptionId}/cancel`,
    body: { mode: "scheduled", onExecute: "cancel" },
  });
  expect(
    await creem.cancelSubscription({ providerSubscriptionId: "sub_gone", when: "now" }),
  ).toEqual({
    status: "not_found",
  });
});

test("the portal opens for a customer, and for nobody else", async () => {
  const payments = await startPayments();
  const { deliveries } = await buy(payments, "creem", "plan");
  const active = deliveries[1]?.events[0];
  if (active?.kind !== "subscription_changed") throw new Error("no subscription");
  const returnUrl = "http://localhost:3000/en/account";
  const portal = await payments.creem.createPortal({
    customerId: active.customerId ?? "",
    returnUrl,
  });
  if (portal.status !== "created") throw new Error("no portal");
  expect(await (await fetch(portal.url)).text()).toContain(nameOf(PLAN));
  const subscription = active.providerSubscriptionId;
  await press(portal.url, { intent: "cancel_at_period_end", subscription });
  expect(await (await fetch(portal.url)).text()).toContain("<dt>Ends</dt>");
  expect(await payments.creem.createPortal({ customerId: "cust_gone", returnUrl })).toEqual({
    status: "not_found",
  });
});
