import { beforeEach, expect, test } from "vitest";
import type { PlanKey } from "~/catalog";
import { predictCredits } from "~/models/billing/changes/credits.server";
import { runDueGrants } from "~/models/billing/periods/grant-run.server";
import { getLatestSubscription } from "~/models/billing/subscriptions/management.server";
import { HAS_TWO_PLANS, PLAN, TOP_PLAN } from "../../fixtures/sold";
import {
  applyCreemEvents,
  applyEvents,
  newSubscription,
  setUpBillingEnv,
} from "../../helpers/billing";
import { createUser, openLedger } from "../../helpers/credits";
import { setClock } from "../../helpers/subscription-world";

setUpBillingEnv();

const NOV_5 = new Date("2026-11-05T09:00:00Z");
const NOV_21 = new Date("2026-11-21T09:00:00Z");
const DEC_5 = new Date("2026-12-05T09:00:00Z");
const JAN_5 = new Date("2027-01-05T09:00:00Z");
const A_YEAR_LATER = new Date("2027-11-21T09:00:00Z");

let userId: string;
let starter: ReturnType<typeof newSubscription>;

const ledger = openLedger({ clock: NOV_5 });

/** Starter by the month, since November 5; today is the 21st. */
beforeEach(async () => {
  await setClock(ledger.db, NOV_5);
  userId = await createUser(ledger.db);
  starter = newSubscription(userId);
  await applyEvents(ledger.db, starter.changed(NOV_5, DEC_5), starter.paid(NOV_5, DEC_5));
  await setClock(ledger.db, NOV_21);
});

async function grantsAt(now: Date) {
  await setClock(ledger.db, now);
  await runDueGrants({}, ledger.db);
  const rows = await ledger.db.creditTransaction.findMany({
    where: { userId, type: "grant" },
    orderBy: { id: "asc" },
    select: { amount: true, expiresAt: true },
  });
  return rows.map(({ amount, expiresAt }) => [amount, expiresAt]);
}

async function predict(planKey: PlanKey, period: "month" | "year", endsAt: Date) {
  const subscription = await getLatestSubscription(userId, ledger.db);
  if (!subscription) throw new Error("there is no subscription");
  return predictCredits({ subscription, startsAt: NOV_21, endsAt, planKey, period }, ledger.db);
}

test.runIf(HAS_TWO_PLANS)(
  "Starter monthly to Pro yearly on November 21: 420 credits at once, 1,200 from December 5",
  async () => {
    expect(await predict(TOP_PLAN.planKey, "year", A_YEAR_LATER)).toEqual({
      ...{ difference: 420, monthly: 1200, nextAt: DEC_5 },
    });
    const priceId = `price_${TOP_PLAN.planKey}_year`;
    await applyEvents(ledger.db, starter.paid(NOV_21, A_YEAR_LATER, { priceId, amount: 28_580 }));
    expect(await grantsAt(NOV_21)).toEqual([
      [300, DEC_5],
      [420, DEC_5],
    ]);
    expect((await grantsAt(DEC_5)).slice(2)).toEqual([[1200, JAN_5]]);
  },
);

test("Starter monthly to yearly on November 21: nothing that day, 300 from December 5", async () => {
  expect(await predict(PLAN.planKey, "year", A_YEAR_LATER)).toEqual({
    ...{ difference: 0, monthly: 300, nextAt: DEC_5 },
  });
  const priceId = `price_${PLAN.planKey}_year`;
  await applyEvents(ledger.db, starter.paid(NOV_21, A_YEAR_LATER, { priceId, amount: 8580 }));
  expect(await grantsAt(NOV_21)).toEqual([[300, DEC_5]]);
  expect((await grantsAt(DEC_5)).slice(1)).toEqual([[300, JAN_5]]);
});

test.runIf(HAS_TWO_PLANS)(
  "Starter to Pro, both monthly: 420 credits at once, and the next ones with the renewal",
  async () => {
    expect(await predict(TOP_PLAN.planKey, "month", DEC_5)).toEqual({
      ...{ difference: 420, monthly: 1200, nextAt: DEC_5 },
    });
    const more = {
      covers: "upgrade",
      priceId: `price_${TOP_PLAN.planKey}_month`,
      amount: 933,
    } as const;
    await applyEvents(ledger.db, starter.paid(NOV_21, DEC_5, more));
    expect(await grantsAt(NOV_21)).toEqual([
      [300, DEC_5],
      [420, DEC_5],
    ]);
    expect(await grantsAt(DEC_5)).toHaveLength(2);
  },
);

test("a prediction writes nothing", async () => {
  await predict(TOP_PLAN.planKey, "year", A_YEAR_LATER);
  expect(await ledger.db.subscriptionPeriod.count({ where: { subscription: { userId } } })).toBe(1);
  expect(await grantsAt(NOV_21)).toEqual([[300, DEC_5]]);
});

test.runIf(HAS_TWO_PLANS)(
  "while earlier months are still to come, nothing is promised for this one",
  async () => {
    await applyEvents(ledger.db, starter.paid(DEC_5, JAN_5));
    const now = new Date("2026-12-21T09:00:00Z");
    await setClock(ledger.db, now);
    const subscription = await getLatestSubscription(userId, ledger.db);
    if (!subscription) throw new Error("there is no subscription");
    const change = {
      subscription,
      startsAt: now,
      endsAt: JAN_5,
      planKey: TOP_PLAN.planKey,
    } as const;
    expect(await predictCredits({ ...change, period: "month" }, ledger.db)).toEqual({
      ...{ difference: null, monthly: 1200, nextAt: null },
    });
  },
);

test.runIf(HAS_TWO_PLANS)(
  "Creem tells of an upgrade as of the whole period: its difference counts from the payment",
  async () => {
    const other = newSubscription(await createUser(ledger.db));
    const atCreem = { priceId: `prod_${PLAN.planKey}_month` };
    await setClock(ledger.db, NOV_5);
    await applyCreemEvents(
      ledger.db,
      other.changed(NOV_5, DEC_5, atCreem),
      other.paid(NOV_5, DEC_5, { ...atCreem, paidAt: new Date(NOV_5.getTime() + 3000) }),
    );
    await setClock(ledger.db, NOV_21);
    const upgraded = other.paid(NOV_5, DEC_5, {
      priceId: `prod_${TOP_PLAN.planKey}_month`,
      paidAt: NOV_21,
    });
    await applyCreemEvents(ledger.db, upgraded);
    await applyCreemEvents(ledger.db, upgraded);
    await runDueGrants({}, ledger.db);
    const source = { contains: other.providerSubscriptionId };
    const grants = await ledger.db.creditTransaction.findMany({
      where: { source },
      orderBy: { id: "asc" },
    });
    expect(grants.map(({ amount, expiresAt }) => [amount, expiresAt])).toEqual([
      [300, DEC_5],
      [420, DEC_5],
    ]);
  },
);
