import { beforeEach, expect, test } from "vitest";
import { getBalance } from "~/models/credits/balance.server";
import { HAS_TWO_PLANS, PLAN, TOP_PLAN } from "../../fixtures/sold";
import { newSubscription } from "../../helpers/billing";
import { iso, openBilling } from "../../helpers/billing-ledger";
import { createUser, DAY, HOUR, inFuture } from "../../helpers/credits";
import { grantsOf } from "../../helpers/subscriptions";

const { ledger, apply, rowOf, boundariesOf, tick } = openBilling();
let userId: string;
beforeEach(async () => {
  userId = await createUser(ledger.db);
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
      priceId: `price_${PLAN.planKey}_year`,
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

test.runIf(HAS_TWO_PLANS)(
  "ten switches in a row give the difference of an upgrade once",
  async () => {
    const subscription = newSubscription(userId);
    const [start, next] = [inFuture(-10 * DAY), inFuture(20 * DAY)];
    await apply(subscription.changed(start, next));
    for (let at = 1; at <= 10; at += 1) {
      const from = inFuture(-5 * DAY + at * HOUR);
      const yearly = at % 2 === 1;
      const until = inFuture(yearly ? 360 * DAY : 25 * DAY);
      const priceId = `price_${at % 3 ? TOP_PLAN.planKey : PLAN.planKey}_${yearly ? "year" : "month"}`;
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
  },
);

test("a trial ended by paying starts its paid month at once", async () => {
  const subscription = newSubscription(userId, TOP_PLAN.planKey);
  const [trial, trialEnd] = [inFuture(-3 * DAY), inFuture(11 * DAY)];
  await apply(subscription.changed(trial, trialEnd, { status: "trialing" }));
  await apply(subscription.paid(trial, trialEnd, { covers: "trial", amount: 0 }));
  const [start, end] = [inFuture(-HOUR), inFuture(30 * DAY)];
  await apply(subscription.changed(start, end, { occurredAt: start }));
  await apply(subscription.paid(start, end));
  await tick();
  expect(await boundariesOf(subscription)).toEqual(iso(trial, start));
  expect(await getBalance(userId, ledger.db)).toBeGreaterThanOrEqual(TOP_PLAN.creditsPerMonth);
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

test.runIf(HAS_TWO_PLANS)(
  "an upgrade paid in mid-month gives the difference for the rest of it, and then its own months",
  async () => {
    const subscription = newSubscription(userId);
    const [start, end] = [inFuture(-16 * DAY), inFuture(14 * DAY)];
    await apply(subscription.changed(start, end));
    const year = inFuture(351 * DAY);
    const upgraded = inFuture(0);
    await apply(
      subscription.paid(upgraded, year, {
        priceId: `price_${TOP_PLAN.planKey}_year`,
        amount: 29_000,
      }),
    );
    expect(await getBalance(userId, ledger.db)).toBe(300);
    await tick();
    const [difference] = await ledger.db.creditTransaction.findMany({
      where: { userId, source: { startsWith: "upgrade:" } },
    });
    // 14 of 30 or 31 days of 900.
    expect(difference?.amount).toBeOneOf([407, 420]);
    expect(difference?.expiresAt).toEqual(end);
    expect(await rowOf(subscription)).toMatchObject({ nextGrantAt: end, paidUntil: year });
  },
);

test("a switch to the same plan by the year gives nothing that day", async () => {
  const subscription = newSubscription(userId);
  await apply(subscription.changed(inFuture(-16 * DAY), inFuture(14 * DAY)));
  await apply(
    subscription.paid(inFuture(0), inFuture(365 * DAY), { priceId: `price_${PLAN.planKey}_year` }),
  );
  expect(await tick()).toMatchObject({ grants: 0 });
});
