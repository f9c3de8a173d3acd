import { beforeEach, expect, test } from "vitest";
import { getBalance } from "~/models/credits/balance.server";
import { PLAN, TOP_PLAN } from "../../fixtures/sold";
import { newSubscription } from "../../helpers/billing";
import { iso, openBilling } from "../../helpers/billing-ledger";
import { createUser, DAY, inFuture } from "../../helpers/credits";
import { grantsOf, monthsFromNow } from "../../helpers/subscriptions";

const { ledger, apply, rowOf, boundariesOf, tick } = openBilling();
let userId: string;
beforeEach(async () => {
  userId = await createUser(ledger.db);
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

test("a failure of an invoice that was paid since, told of late, changes nothing", async () => {
  const subscription = newSubscription(userId);
  const [start, middle, end] = [monthsFromNow(-1), monthsFromNow(0), monthsFromNow(1)];
  await apply(subscription.changed(start, middle));
  const invoice = subscription.paid(middle, end);
  await apply(invoice);
  const { providerSubscriptionId, customerId, priceId, metadata, invoiceId } = invoice;
  const facts = { providerSubscriptionId, customerId, priceId, metadata };
  const failed = { kind: "invoice_failed", ...facts, isRenewal: true, occurredAt: middle } as const;
  await apply({ ...failed, invoiceId });
  expect(await rowOf(subscription)).toMatchObject({ status: "active" });
  await apply({ ...failed, invoiceId: "in_other" });
  expect(await rowOf(subscription)).toMatchObject({ status: "past_due" });
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

test("a plan that nobody paid for changes no month", async () => {
  const subscription = newSubscription(userId);
  const [start, middle, end] = [monthsFromNow(-1), monthsFromNow(0), monthsFromNow(1)];
  await apply(subscription.changed(start, middle));
  const pro = { priceId: `price_${TOP_PLAN.planKey}_month` };
  await apply(subscription.changed(middle, end, { ...pro, occurredAt: middle }));
  expect(await rowOf(subscription)).toMatchObject({ planKey: TOP_PLAN.planKey });
  await apply(subscription.paid(middle, end, { priceId: `price_${PLAN.planKey}_month` }));
  await tick();
  expect(await getBalance(userId, ledger.db)).toBe(300);
});

test("a renewal paid in a new plan gives that plan's month, though its invoice is told of first", async () => {
  const subscription = newSubscription(userId);
  const [start, middle, end] = [monthsFromNow(-1), monthsFromNow(0), monthsFromNow(1)];
  await apply(subscription.changed(start, middle));
  await apply(subscription.paid(middle, end, { priceId: `price_${TOP_PLAN.planKey}_month` }));
  await tick();
  expect(await getBalance(userId, ledger.db)).toBe(TOP_PLAN.creditsPerMonth);
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
  const invoice = subscription.paid(null, null, {
    covers: "period",
    priceId: `price_${PLAN.planKey}_month`,
  });
  await expect(apply(invoice)).rejects.toThrow(/doesn't say which period it pays for/);
});
