import { expect, test } from "vitest";
import { CURRENCY } from "~/catalog";
import type { BillingEvent } from "~/services/payments/billing-event";
import * as sold from "../../fixtures/sold";
import { BUYER, buy, startPayments, verify } from "../../helpers/payments";

type Payments = Awaited<ReturnType<typeof startPayments>>;

const PACK = {
  userId: BUYER.userId,
  site: BUYER.site,
  skuKey: sold.MIDDLE_PACK.skuKey,
  planKey: null,
  period: null,
};
const PLAN = { userId: BUYER.userId, skuKey: null, planKey: sold.PLAN.planKey, period: "month" };

/** Returns the contents of one control action's deliveries, and the names they came under. */
async function follow(
  payments: Payments,
  name: "stripe" | "creem",
  path: string,
  body: object = {},
) {
  const before = payments.receiver.received.length;
  const { status } = await payments.control(name, "POST", path, body);
  expect(status).toBe(200);
  const received = payments.receiver.received.slice(before);
  return {
    types: received.map(({ type }) => type),
    events: received.flatMap((webhook) => verify(payments[name], webhook).events),
  };
}

async function subscribe(payments: Payments, name: "stripe" | "creem") {
  const { deliveries } = await buy(payments, name, "plan");
  const events = deliveries.flatMap((delivery) => delivery.events);
  const change = events.find((event) => event.kind === "subscription_changed");
  if (change?.kind !== "subscription_changed") throw new Error("no subscription");
  return { deliveries, events, change, path: `/subscriptions/${change.providerSubscriptionId}` };
}

const ofKind = <Kind extends BillingEvent["kind"]>(events: BillingEvent[], kind: Kind) =>
  events.filter((event): event is Extract<BillingEvent, { kind: Kind }> => event.kind === kind);

test.each(["stripe", "creem"] as const)(
  "a pack bought at %s is one paid checkout",
  async (name) => {
    const payments = await startPayments();
    const { checkout, deliveries } = await buy(payments, name, "pack");
    expect(deliveries).toMatchObject([
      {
        providerEventId: expect.stringMatching(/^evt_/),
        events: [
          {
            kind: "checkout_completed",
            checkoutId: checkout.sessionId,
            mode: "payment",
            paymentStatus: "paid",
            paymentId: expect.stringMatching(/^(pi|ord)_/),
            subscriptionId: null,
            amount: sold.MIDDLE_PACK.amount,
            currency: CURRENCY,
            metadata: PACK,
          },
        ],
      },
    ]);
  },
);

test.each(["acacia", "basil"])(
  "a subscription at Stripe tells checkout, subscription and invoice, the %s payload too",
  async (generation) => {
    const payments = await startPayments();
    await payments.control("stripe", "PUT", "/payloads", { generation });
    const { deliveries, events, change } = await subscribe(payments, "stripe");
    expect(deliveries.map(({ type }) => type)).toEqual([
      "checkout.session.completed",
      "customer.subscription.created",
      "invoice.paid",
      "invoice.payment_succeeded",
      "invoice_payment.paid",
    ]);
    const { providerSubscriptionId, customerId, currentPeriodStart, currentPeriodEnd } = change;
    expect(events[0]).toMatchObject({
      mode: "subscription",
      subscriptionId: providerSubscriptionId,
      customerId,
      metadata: PLAN,
    });
    expect(change).toMatchObject({
      status: "active",
      priceId: `price_sandbox_${sold.PLAN_MONTHLY}`,
      cancelAtPeriodEnd: false,
      metadata: PLAN,
    });
    expect(currentPeriodEnd?.getTime()).toBeGreaterThan(currentPeriodStart?.getTime() ?? 0);
    for (const invoice of ofKind(events, "invoice_paid"))
      expect(invoice).toMatchObject({
        providerSubscriptionId,
        periodStart: currentPeriodStart,
        periodEnd: currentPeriodEnd,
        priceId: `price_sandbox_${sold.PLAN_MONTHLY}`,
        metadata: PLAN,
      });
  },
);

test("a subscription at Creem tells checkout, activation and payment", async () => {
  const payments = await startPayments();
  const { deliveries, events, change } = await subscribe(payments, "creem");
  expect(deliveries.map(({ type }) => type)).toEqual([
    "checkout.completed",
    "subscription.active",
    "subscription.paid",
  ]);
  expect(events.map(({ kind }) => kind)).toEqual([
    "checkout_completed",
    "subscription_changed",
    "subscription_changed",
    "invoice_paid",
  ]);
  expect(change).toMatchObject({
    status: "active",
    priceId: `prod_sandbox_${sold.PLAN_MONTHLY}`,
    metadata: PLAN,
  });
  expect(ofKind(events, "invoice_paid")).toMatchObject([
    { providerSubscriptionId: change.providerSubscriptionId, periodEnd: change.currentPeriodEnd },
  ]);
});

test("a renewal at Stripe moves the period, then pays for it", async () => {
  const payments = await startPayments();
  const { change, path } = await subscribe(payments, "stripe");
  const { types, events } = await follow(payments, "stripe", `${path}/renew`);
  expect(types).toEqual([
    "customer.subscription.updated",
    "invoice.paid",
    "invoice.payment_succeeded",
    "invoice_payment.paid",
  ]);
  const [moved] = ofKind(events, "subscription_changed");
  const [paid] = ofKind(events, "invoice_paid");
  expect(moved?.currentPeriodStart).toEqual(change.currentPeriodEnd);
  expect(paid?.periodEnd).toEqual(moved?.currentPeriodEnd);
});

test("a renewal at Stripe that is not paid is past due until it is collected", async () => {
  const payments = await startPayments();
  const { path } = await subscribe(payments, "stripe");
  const failed = await follow(payments, "stripe", `${path}/renew`, { outcome: "fail" });
  expect(failed.types).toEqual([
    "customer.subscription.updated",
    "invoice.payment_failed",
    "customer.subscription.updated",
  ]);
  expect(failed.events).toMatchObject([
    { kind: "subscription_changed", status: "active" },
    { kind: "invoice_failed" },
    { kind: "subscription_changed", status: "past_due" },
  ]);
  const collected = await follow(payments, "stripe", `${path}/collect`);
  expect(collected.events).toMatchObject([
    { kind: "invoice_paid" },
    { kind: "invoice_paid" },
    { kind: "invoice_linked" },
    { kind: "subscription_changed", status: "active" },
  ]);
});

test("a renewal at Creem moves the period once it is paid", async () => {
  const payments = await startPayments();
  const { change, path } = await subscribe(payments, "creem");
  const failed = await follow(payments, "creem", `${path}/renew`, { outcome: "fail" });
  expect(failed.events).toMatchObject([
    { status: "past_due", currentPeriodEnd: change.currentPeriodEnd },
  ]);
  const collected = await follow(payments, "creem", `${path}/collect`);
  expect(collected.types).toEqual(["subscription.active", "subscription.paid"]);
  const renewed = await follow(payments, "creem", `${path}/renew`);
  expect(renewed.types).toEqual(["subscription.paid"]);
  const [first] = ofKind(collected.events, "invoice_paid");
  const [second] = ofKind(renewed.events, "invoice_paid");
  expect(first?.periodStart).toEqual(change.currentPeriodEnd);
  expect(second?.periodStart).toEqual(first?.periodEnd);
});

test.each([
  ["stripe", "customer.subscription.updated", "active", "customer.subscription.deleted"],
  ["creem", "subscription.scheduled_cancel", null, "subscription.canceled"],
] as const)(
  "at %s a scheduled cancellation changes no status, and ends it at renewal",
  async (name, scheduledType, status, endedType) => {
    const payments = await startPayments();
    const { change, path } = await subscribe(payments, name);
    const before = payments.receiver.received.length;
    const { providerSubscriptionId } = change;
    await payments[name].cancelSubscription({ providerSubscriptionId, when: "period_end" });
    await payments.control(name, "POST", "/deliveries/settle");
    const scheduled = payments.receiver.received.slice(before);
    expect(scheduled.map(({ type }) => type)).toEqual([scheduledType]);
    const events = scheduled.flatMap((webhook) => verify(payments[name], webhook).events);
    expect(events).toMatchObject([{ status, cancelAtPeriodEnd: true, endedAt: null }]);

    const ended = await follow(payments, name, `${path}/renew`);
    expect(ended.types).toEqual([endedType]);
    expect(ended.events).toMatchObject([{ status: "canceled", endedAt: expect.any(Date) }]);
    const again = await payments.control(name, "POST", `${path}/renew`);
    expect(again.status).toBe(404);
  },
);

test("the portal at Stripe schedules by date alone, which counts all the same", async () => {
  const payments = await startPayments();
  const { change } = await subscribe(payments, "stripe");
  const portal = await payments.stripe.createPortal({
    customerId: change.customerId ?? "",
    returnUrl: BUYER.cancelUrl,
  });
  if (portal.status !== "created") throw new Error("no portal");
  await fetch(portal.url, {
    method: "POST",
    body: new URLSearchParams({
      intent: "cancel_at_period_end",
      subscription: change.providerSubscriptionId,
    }),
  });
  const webhook = payments.receiver.received.at(-1);
  if (!webhook) throw new Error("no delivery");
  expect(new TextDecoder().decode(webhook.rawBody)).toContain('"cancel_at_period_end": false');
  expect(verify(payments.stripe, webhook).events).toMatchObject([{ cancelAtPeriodEnd: true }]);
});

test.each(["stripe", "creem"] as const)(
  "refunds at %s add up, and a dispute names the same payment",
  async (name) => {
    const payments = await startPayments();
    const { checkout, deliveries } = await buy(payments, name, "pack");
    const [completed] = ofKind(deliveries[0]?.events ?? [], "checkout_completed");
    const path = `/payments/${checkout.sessionId}`;
    const refunded = async (body?: object) =>
      ofKind((await follow(payments, name, `${path}/refund`, body)).events, "returned");
    const told = [
      await refunded({ amount: 70 }),
      await refunded({ amount: 20 }),
      await refunded(),
    ].flat();
    const id = completed?.paymentId;
    const names =
      name === "creem" ? { orderId: id, checkoutId: checkout.sessionId } : { paymentId: id };
    const payment = { ...names, providerSubscriptionId: null };
    const figures = told.filter(({ returnId }) => returnId === null);
    expect(figures).toMatchObject(
      [70, 90, sold.MIDDLE_PACK.amount].map((amount) => ({
        ...{ of: "refund", state: "succeeded", amount, currency: CURRENCY },
        payment: { ...payment, chargedAmount: sold.MIDDLE_PACK.amount, metadata: PACK },
      })),
    );
    const named = told.filter(({ returnId }) => returnId !== null);
    expect(named).toMatchObject(
      [70, 20, sold.MIDDLE_PACK.amount - 90].map((amount) => ({
        ...{ of: "refund", state: "succeeded", amount, payment },
      })),
    );
    expect(new Set(named.map(({ returnId }) => returnId)).size).toBe(3);
    const { status } = await payments.control(name, "POST", `${path}/refund`, {});
    expect(status).toBe(404);
    const disputed = await follow(payments, name, `${path}/dispute`);
    const opened = {
      kind: "returned",
      of: "dispute",
      state: "open",
      payment,
      amount: sold.MIDDLE_PACK.amount,
    };
    // Stripe also tells that the money was withdrawn.
    expect(disputed.events).toMatchObject(name === "stripe" ? [opened, opened] : [opened]);
  },
);
