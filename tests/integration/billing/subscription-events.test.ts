import { beforeEach, expect, test } from "vitest";
import { getBalance } from "~/models/credits/balance.server";
import type { BillingEvent, SubscriptionStatus } from "~/services/payments/billing-event";
import { PLAN, TOP_PLAN } from "../../fixtures/sold";
import { newSubscription } from "../../helpers/billing";
import { iso, openBilling } from "../../helpers/billing-ledger";
import { createUser, DAY, HOUR, inFuture } from "../../helpers/credits";
import { grantsOf, monthsFromNow } from "../../helpers/subscriptions";

const { ledger, apply, rowOf, boundariesOf, tick } = openBilling();
let userId: string;
beforeEach(async () => {
  userId = await createUser(ledger.db);
});

test("a subscription shown active gets its first month at once, until its boundary", async () => {
  const subscription = newSubscription(userId);
  const [start, end] = [inFuture(-HOUR), inFuture(29 * DAY)];
  await apply(subscription.changed(start, end));
  expect(await grantsOf(ledger.db, { id: "", userId, ...subscription })).toEqual([
    {
      amount: 300,
      remaining: 300,
      boundary: start.toISOString(),
      expiresAt: end.toISOString(),
    },
  ]);
  expect(await tick()).toMatchObject({ grants: 0, remaining: 0 });
});

test("a period that arrives in parts starts the grants once its end is known", async () => {
  const subscription = newSubscription(userId);
  const [start, end] = [inFuture(-HOUR), inFuture(29 * DAY)];
  await apply({ ...subscription.changed(start, end), currentPeriodEnd: null });
  expect(await getBalance(userId, ledger.db)).toBe(0);
  await apply(subscription.changed(start, end));
  expect(await boundariesOf(subscription)).toEqual(iso(start));
});

test("incomplete and past due give nothing; active later does, from the period it shows", async () => {
  const subscription = newSubscription(userId);
  const [start, end] = [inFuture(-HOUR), inFuture(29 * DAY)];
  await apply(subscription.changed(start, end, { status: "incomplete" }));
  expect(await getBalance(userId, ledger.db)).toBe(0);
  await apply(subscription.changed(start, end));
  expect(await getBalance(userId, ledger.db)).toBe(300);
});

test("at an equal time `incomplete` replaces nothing, but another status does", async () => {
  const subscription = newSubscription(userId);
  const [start, end] = [inFuture(-HOUR), inFuture(29 * DAY)];
  await apply(subscription.changed(start, end));
  await apply(subscription.changed(start, end, { status: "incomplete" }));
  expect(await rowOf(subscription)).toMatchObject({ status: "active" });
  await apply(subscription.changed(start, end, { status: "past_due" }));
  expect(await rowOf(subscription)).toMatchObject({ status: "past_due" });
});

test("an older event overwrites nothing", async () => {
  const subscription = newSubscription(userId);
  const [start, end] = [inFuture(-DAY), inFuture(29 * DAY)];
  await apply(
    subscription.changed(start, end, { cancelAtPeriodEnd: true, occurredAt: inFuture(-HOUR) }),
  );
  await apply(subscription.changed(start, end, { status: "past_due", occurredAt: start }));
  expect(await rowOf(subscription)).toMatchObject({ status: "active", cancelAtPeriodEnd: true });
});

test.each(["canceled"] as const)(
  "%s wins over a newer event, and nothing after it counts",
  async (status) => {
    const subscription = newSubscription(userId);
    const [start, end] = [inFuture(-DAY), inFuture(29 * DAY)];
    await apply(subscription.changed(start, end, { occurredAt: inFuture(-HOUR) }));
    await apply(subscription.changed(start, end, { status, endedAt: start, occurredAt: start }));
    await apply(subscription.changed(start, end, { occurredAt: inFuture(HOUR) }));
    await apply(subscription.paid(end, inFuture(60 * DAY)));
    expect(await rowOf(subscription)).toMatchObject({ status: "canceled" });
    expect(await tick()).toMatchObject({ grants: 0, remaining: 0 });
  },
);

test("expired may recover", async () => {
  const subscription = newSubscription(userId);
  const [start, end] = [inFuture(-DAY), inFuture(29 * DAY)];
  await apply(subscription.changed(start, end, { status: "expired" }));
  expect(await getBalance(userId, ledger.db)).toBe(0);
  await apply(subscription.changed(start, end, { occurredAt: inFuture(-HOUR) }));
  expect(await getBalance(userId, ledger.db)).toBe(300);
});

test("a scheduled cancellation as the first event means a running subscription", async () => {
  const subscription = newSubscription(userId);
  const [start, end] = [inFuture(-DAY), inFuture(29 * DAY)];
  await apply(subscription.changed(start, end, { status: null, cancelAtPeriodEnd: true }));
  expect(await rowOf(subscription)).toMatchObject({ status: "active", cancelAtPeriodEnd: true });
  await apply(
    subscription.changed(start, end, { status: "paused", occurredAt: inFuture(-2 * HOUR) }),
  );
  await apply(subscription.changed(start, end, { status: null, occurredAt: inFuture(-HOUR) }));
  expect(await rowOf(subscription)).toMatchObject({ status: "paused" });
});

test("an event without our metadata leaves no row", async () => {
  const subscription = newSubscription(userId);
  const [start, end] = [inFuture(-DAY), inFuture(29 * DAY)];
  await apply({ ...subscription.changed(start, end), metadata: null });
  await apply({ ...subscription.paid(start, end), metadata: null });
  expect(await ledger.db.subscription.count({ where: { userId } })).toBe(0);
});

test("the price decides the plan, and a price that is not known leaves it", async () => {
  const subscription = newSubscription(userId, PLAN.planKey);
  const [start, end] = [inFuture(-DAY), inFuture(29 * DAY)];
  await apply(subscription.changed(start, end, { priceId: `price_${TOP_PLAN.planKey}_year` }));
  expect(await rowOf(subscription)).toMatchObject({ planKey: TOP_PLAN.planKey, period: "year" });
  await apply(subscription.changed(start, end, { priceId: "price_grandfathered" }));
  expect(await rowOf(subscription)).toMatchObject({ planKey: TOP_PLAN.planKey, period: "year" });
});

test("a plan that the catalog does not have fails", async () => {
  const subscription = newSubscription(userId);
  const event = subscription.changed(inFuture(-DAY), inFuture(DAY), {
    priceId: null,
    metadata: { userId, site: null, skuKey: null, planKey: "enterprise", period: "month" },
  });
  await expect(apply(event)).rejects.toThrow(/no plan enterprise/);
});

test("a renewal moves the period and gives nothing until it is paid; then its month comes", async () => {
  const subscription = newSubscription(userId);
  const [start, middle, end] = [monthsFromNow(-1), monthsFromNow(0), monthsFromNow(1)];
  await apply(subscription.changed(start, middle));
  await apply(subscription.changed(middle, end, { occurredAt: middle }));
  expect(await tick()).toMatchObject({ grants: 0, remaining: 0 });
  await apply(
    subscription.changed(middle, end, { status: "past_due", occurredAt: inFuture(-HOUR) }),
  );
  expect(await tick()).toMatchObject({ grants: 0 });
  await apply(subscription.paid(middle, end));
  await apply(subscription.changed(middle, end, { occurredAt: inFuture(0) }));
  await tick();
  expect(await boundariesOf(subscription)).toEqual(iso(start, middle));
  expect(await getBalance(userId, ledger.db)).toBe(300);
});

test("a failed renewal waits for its payment; an older failure told of late changes nothing", async () => {
  const subscription = newSubscription(userId);
  const [start, end] = [inFuture(-DAY), inFuture(29 * DAY)];
  await apply(subscription.changed(start, end, { occurredAt: inFuture(-HOUR) }));
  const failed = (occurredAt: Date, isRenewal = true): BillingEvent => {
    const { periodStart, periodEnd, ...facts } = subscription.paid(start, end);
    return { ...facts, kind: "invoice_failed", occurredAt, isRenewal };
  };
  await apply(failed(start));
  await apply(failed(inFuture(0), false));
  expect(await rowOf(subscription)).toMatchObject({ status: "active" });
  await apply(failed(inFuture(0)));
  expect(await rowOf(subscription)).toMatchObject({ status: "past_due" });
});

test.each<[SubscriptionStatus, number]>([
  ["trialing", 300],
  ["active", 300],
  ["past_due", 0],
  ["unpaid", 0],
  ["paused", 0],
  ["unknown", 0],
])("first heard of as %s it gives %i", async (status, credits) => {
  const subscription = newSubscription(userId);
  await apply(subscription.changed(inFuture(-HOUR), inFuture(29 * DAY), { status }));
  expect(await getBalance(userId, ledger.db)).toBe(credits);
});
