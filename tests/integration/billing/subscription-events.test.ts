import { beforeEach, expect, test } from "vitest";
import { runDueGrants } from "~/models/billing/grant-run.server";
import { getBalance } from "~/models/credits/balance.server";
import type { BillingEvent, SubscriptionStatus } from "~/services/payments/billing-event";
import { applyEvents, newSubscription, setUpBillingEnv } from "../../helpers/billing";
import { createUser, DAY, HOUR, inFuture, openLedger } from "../../helpers/credits";
import { grantsOf, monthsFromNow } from "../../helpers/subscriptions";

setUpBillingEnv();
const ledger = openLedger();
let userId: string;
beforeEach(async () => {
  userId = await createUser(ledger.db);
});

const apply = (...events: Parameters<typeof applyEvents>[1][]) => applyEvents(ledger.db, ...events);
const rowOf = ({ providerSubscriptionId }: { providerSubscriptionId: string }) =>
  ledger.db.subscription.findUniqueOrThrow({
    where: { provider_providerSubscriptionId: { provider: "stripe", providerSubscriptionId } },
  });
const boundariesOf = async (subscription: { providerSubscriptionId: string }) =>
  (await grantsOf(ledger.db, { id: "", userId, ...subscription })).map(({ boundary }) => boundary);
const iso = (...dates: Date[]) => dates.map((date) => date.toISOString());
const tick = () => runDueGrants({}, ledger.db);

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
  const subscription = newSubscription(userId, "starter");
  const [start, end] = [inFuture(-DAY), inFuture(29 * DAY)];
  await apply(subscription.changed(start, end, { priceId: "price_pro_year" }));
  expect(await rowOf(subscription)).toMatchObject({ planKey: "pro", period: "year" });
  await apply(subscription.changed(start, end, { priceId: "price_grandfathered" }));
  expect(await rowOf(subscription)).toMatchObject({ planKey: "pro", period: "year" });
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

test("an invoice alone grants nothing", async () => {
  const subscription = newSubscription(userId);
  const [start, middle, end] = [monthsFromNow(-1), monthsFromNow(0), monthsFromNow(1)];
  await apply(subscription.changed(start, middle));
  await apply(subscription.paid(middle, end));
  expect(await boundariesOf(subscription)).toEqual(iso(start));
  expect(await tick()).toMatchObject({ grants: 1 });
});

test("both of Stripe's events of one paid invoice, and an older one late, change nothing more", async () => {
  const subscription = newSubscription(userId);
  const [start, middle, end] = [monthsFromNow(-1), monthsFromNow(0), monthsFromNow(1)];
  await apply(subscription.changed(start, middle));
  const invoice = subscription.paid(middle, end);
  await apply(invoice);
  await tick();
  const before = await rowOf(subscription);
  await apply(invoice);
  await apply(subscription.paid(start, middle));
  expect(await rowOf(subscription)).toEqual(before);
});

test("prorations alone pay for no period", async () => {
  const subscription = newSubscription(userId);
  const [start, end] = [monthsFromNow(-1), monthsFromNow(0)];
  await apply(subscription.changed(start, end));
  await apply(subscription.paid(null, null));
  expect(await rowOf(subscription)).toMatchObject({ paidUntil: end });
});

test("a renewal's invoice too long to show its period pays for the subscription's own", async () => {
  const subscription = newSubscription(userId);
  const [start, middle, end] = [monthsFromNow(-1), monthsFromNow(0), monthsFromNow(1)];
  await apply(subscription.changed(start, middle));
  const invoice = subscription.paid(null, null, { covers: "hidden", renewedAt: middle });
  const doesNotSay = /doesn't say which period it pays for/;
  await expect(apply({ ...invoice, renewedAt: null })).rejects.toThrow(doesNotSay);
  // It came first: retried once the subscription's event is here.
  await expect(apply(invoice)).rejects.toThrow(doesNotSay);
  await apply(subscription.changed(middle, end, { occurredAt: middle }));
  await apply(invoice);
  expect(await rowOf(subscription)).toMatchObject({ nextGrantAt: middle, paidUntil: end });
  expect(await tick()).toMatchObject({ grants: 1 });
});

test("a trial's end leaves no gap and no double", async () => {
  const subscription = newSubscription(userId);
  const [trial, start, end] = [inFuture(-14 * DAY), inFuture(-7 * DAY), inFuture(20 * DAY)];
  await apply(subscription.changed(trial, start, { status: "trialing" }));
  await apply(subscription.changed(start, end, { occurredAt: start }));
  await apply(subscription.paid(start, end));
  await tick();
  const grants = await grantsOf(ledger.db, { id: "", userId, ...subscription });
  expect(grants.map(({ boundary, expiresAt }) => [boundary, expiresAt])).toEqual([
    iso(trial, start),
    iso(start, end),
  ]);
  expect(await getBalance(userId, ledger.db)).toBe(300);
});

test("from month to year in mid-month the next month follows the last, and none is lost", async () => {
  const subscription = newSubscription(userId);
  const [start, next] = [inFuture(-10 * DAY), inFuture(20 * DAY)];
  await apply(subscription.changed(start, next));
  const [switched, yearEnd] = [inFuture(-DAY), inFuture(364 * DAY)];
  await apply(
    subscription.changed(switched, yearEnd, {
      priceId: "price_starter_year",
      occurredAt: switched,
    }),
  );
  const invoice = subscription.paid(switched, yearEnd);
  await apply(invoice);
  const row = await rowOf(subscription);
  expect(row).toMatchObject({
    period: "year",
    grantAnchorAt: next,
    nextGrantAt: next,
    grantsIssued: 0,
  });
  expect(row.paidUntil).toEqual(yearEnd);
  expect(await tick()).toMatchObject({ grants: 0 });
  // Stripe reports one paid invoice twice.
  await apply(invoice);
  expect(await rowOf(subscription)).toEqual(row);
});

test("ten switches in a row give the difference of an upgrade once", async () => {
  const subscription = newSubscription(userId);
  const [start, next] = [inFuture(-10 * DAY), inFuture(20 * DAY)];
  await apply(subscription.changed(start, next));
  for (let at = 1; at <= 10; at += 1) {
    const from = inFuture(-5 * DAY + at * HOUR);
    const yearly = at % 2 === 1;
    const until = inFuture(yearly ? 360 * DAY : 25 * DAY);
    const priceId = `price_${at % 3 ? "pro" : "starter"}_${yearly ? "year" : "month"}`;
    await apply(subscription.changed(from, until, { priceId, occurredAt: from }));
    await apply(subscription.paid(from, until, { priceId }));
    await tick();
  }
  expect(await boundariesOf(subscription)).toEqual(iso(start));
  const upgrades = await ledger.db.creditTransaction.findMany({
    where: { userId, source: { startsWith: "upgrade:" } },
  });
  const left = (next.getTime() - inFuture(-5 * DAY + HOUR).getTime()) / (30 * DAY);
  expect(upgrades.map(({ amount, expiresAt }) => [amount, expiresAt])).toEqual([
    [expect.toSatisfy((amount) => Math.abs(amount - 900 * left) < 31), next],
  ]);
});

test("a plan that nobody paid for changes no month", async () => {
  const subscription = newSubscription(userId);
  const [start, middle, end] = [monthsFromNow(-1), monthsFromNow(0), monthsFromNow(1)];
  await apply(subscription.changed(start, middle));
  const pro = { priceId: "price_pro_month" };
  await apply(subscription.changed(middle, end, { ...pro, occurredAt: middle }));
  expect(await rowOf(subscription)).toMatchObject({ planKey: "pro" });
  await apply(subscription.paid(middle, end, { priceId: "price_starter_month" }));
  await tick();
  expect(await getBalance(userId, ledger.db)).toBe(300);
});

test("a renewal paid in a new plan gives that plan's month, though its invoice is told of first", async () => {
  const subscription = newSubscription(userId);
  const [start, middle, end] = [monthsFromNow(-1), monthsFromNow(0), monthsFromNow(1)];
  await apply(subscription.changed(start, middle));
  await apply(subscription.paid(middle, end, { priceId: "price_pro_month" }));
  await tick();
  expect(await getBalance(userId, ledger.db)).toBe(1200);
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

test("first heard of by a renewal, it waits for the payment", async () => {
  const subscription = newSubscription(userId);
  const [start, end] = [inFuture(-DAY), inFuture(29 * DAY)];
  await apply(subscription.changed(start, end, { startedAt: inFuture(-90 * DAY) }));
  expect(await getBalance(userId, ledger.db)).toBe(0);
  await apply(subscription.paid(start, end));
  await tick();
  expect(await getBalance(userId, ledger.db)).toBe(300);
});

test("first heard of on a clamped day, its month is one lot", async () => {
  const subscription = newSubscription(userId);
  const [start, end] = [new Date("2027-02-28T10:00:00Z"), new Date("2027-03-31T10:00:00Z")];
  await apply(subscription.changed(start, end, { startedAt: new Date("2026-08-31T10:00:00Z") }));
  await apply(subscription.paid(start, end));
  // It hasn't come yet: the next boundary is the period's start, and the one after it its end.
  expect(await rowOf(subscription)).toMatchObject({ nextGrantAt: start, paidUntil: end });
  await ledger.db.$executeRaw`
    UPDATE subscriptions SET next_grant_at = next_grant_at - interval '1 year',
      grant_anchor_at = grant_anchor_at - interval '1 year', paid_until = paid_until - interval '1 year'
    WHERE user_id = ${userId}::uuid`;
  await ledger.db.$executeRaw`
    UPDATE subscription_periods SET starts_at = starts_at - interval '1 year',
      ends_at = ends_at - interval '1 year'
    WHERE subscription_id IN (SELECT id FROM subscriptions WHERE user_id = ${userId}::uuid)`;
  await tick();
  expect(await grantsOf(ledger.db, { id: "", userId, ...subscription })).toMatchObject([
    { amount: 300, expiresAt: "2026-03-31T10:00:00.000Z" },
  ]);
});

test("a paid period without dates fails visibly", async () => {
  const subscription = newSubscription(userId);
  const invoice = subscription.paid(null, null, { covers: "period" });
  await expect(apply(invoice)).rejects.toThrow(/doesn't say which period it pays for/);
});

test("a trial ended by paying starts its paid month at once", async () => {
  const subscription = newSubscription(userId, "pro");
  const [trial, trialEnd] = [inFuture(-3 * DAY), inFuture(11 * DAY)];
  await apply(subscription.changed(trial, trialEnd, { status: "trialing" }));
  await apply(subscription.paid(trial, trialEnd, { covers: "trial", amount: 0 }));
  const [start, end] = [inFuture(-HOUR), inFuture(30 * DAY)];
  await apply(subscription.changed(start, end, { occurredAt: start }));
  await apply(subscription.paid(start, end));
  await tick();
  expect(await boundariesOf(subscription)).toEqual(iso(trial, start));
  expect(await getBalance(userId, ledger.db)).toBeGreaterThanOrEqual(1200);
});

test("a trial whose invoice comes first holds nothing back", async () => {
  const subscription = newSubscription(userId);
  const [trial, trialEnd] = [inFuture(-3 * DAY), inFuture(11 * DAY)];
  await apply(subscription.paid(trial, trialEnd, { covers: "trial", amount: 0 }));
  await apply(subscription.changed(trial, trialEnd, { status: "trialing" }));
  const [start, end] = [inFuture(-HOUR), inFuture(30 * DAY)];
  await apply(subscription.paid(start, end));
  await tick();
  expect(await boundariesOf(subscription)).toEqual(iso(trial, start));
});

test("an upgrade paid in mid-month gives the difference for the rest of it, and then its own months", async () => {
  const subscription = newSubscription(userId);
  const [start, end] = [inFuture(-16 * DAY), inFuture(14 * DAY)];
  await apply(subscription.changed(start, end));
  const year = inFuture(351 * DAY);
  const upgraded = inFuture(0);
  await apply(subscription.paid(upgraded, year, { priceId: "price_pro_year", amount: 29_000 }));
  expect(await getBalance(userId, ledger.db)).toBe(300);
  await tick();
  const [difference] = await ledger.db.creditTransaction.findMany({
    where: { userId, source: { startsWith: "upgrade:" } },
  });
  // 14 of 30 or 31 days of 900.
  expect(difference?.amount).toBeOneOf([407, 420]);
  expect(difference?.expiresAt).toEqual(end);
  expect(await rowOf(subscription)).toMatchObject({ nextGrantAt: end, paidUntil: year });
});

test("a switch to the same plan by the year gives nothing that day", async () => {
  const subscription = newSubscription(userId);
  await apply(subscription.changed(inFuture(-16 * DAY), inFuture(14 * DAY)));
  await apply(
    subscription.paid(inFuture(0), inFuture(365 * DAY), { priceId: "price_starter_year" }),
  );
  expect(await tick()).toMatchObject({ grants: 0 });
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
