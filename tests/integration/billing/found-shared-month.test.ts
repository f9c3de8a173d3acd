import { beforeEach, expect, test } from "vitest";
import { runDueGrants } from "~/models/billing/periods/grant-run.server";
import { refundRun } from "~/models/billing/returns/spend-refunds.server";
import { getBalance } from "~/models/credits/balance.server";
import { spendCredits } from "~/models/credits/spends.server";
import type { BillingEvent, InvoicePaid } from "~/services/payments/billing-event";
import { applyEvents, newSubscription, setUpBillingEnv } from "../../helpers/billing";
import { createUser, DAY, HOUR, inFuture, openLedger, passTime } from "../../helpers/credits";
import { silenceLog } from "../../helpers/silence-log";
import { passPeriods } from "../../helpers/subscriptions";

// Found by the attack on issue 26: a later month of a year, whose lot holds the parts of two payments.
setUpBillingEnv();
silenceLog();
const ledger = openLedger();
const [START, END] = [inFuture(-2 * DAY), inFuture(363 * DAY)];
let userId: string;
let subscription: ReturnType<typeof newSubscription>;
beforeEach(async () => {
  userId = await createUser(ledger.db);
  subscription = newSubscription(userId);
});
const apply = (...events: BillingEvent[]) => applyEvents(ledger.db, ...events);
const balance = () => getBalance(userId, ledger.db);
const sourceOf = (name: string) => `test:${userId}:${name}`;
const spend = (amount: number, name: string) =>
  spendCredits({ userId, amount, source: sourceOf(name) }, ledger.db);

async function passMonth() {
  const hours = 31 * 24 + 1;
  await passTime(ledger.db, userId, hours * HOUR);
  await passPeriods(ledger.db, userId, hours);
  await runDueGrants({}, ledger.db);
}

const payYear = async (): Promise<InvoicePaid> => {
  const priceId = "price_starter_year";
  const payments = [{ id: `pi_base_${userId}`, amount: 9000 }];
  const base = subscription.paid(START, END, { amount: 9000, priceId, payments });
  await apply(subscription.changed(START, END, { priceId, startedAt: START }), base);
  return base;
};

/** The balance and what is owed, after 1,000 of 1,200 were spent, the upgrade refunded, and the base disputed and won. */
async function live(isRefundedFirst: boolean) {
  userId = await createUser(ledger.db);
  subscription = newSubscription(userId);
  const base = await payYear();
  const upgrade = subscription.paid(inFuture(-DAY), END, {
    ...{ covers: "upgrade", amount: 19_000, priceId: "price_pro_year" },
    payments: [{ id: `pi_upgrade_${userId}`, amount: 19_000 }],
  });
  await apply(upgrade);
  await passMonth();
  expect(await balance()).toBe(1200);
  await spend(1000, "a");
  const open = subscription.disputed(base, { returnId: `dp_${userId}` });
  const refund = subscription.refunded(upgrade, 19_000, { returnId: `re_${userId}` });
  const facts = isRefundedFirst ? [refund, open] : [open, refund];
  for (const fact of [...facts, { ...open, state: "won" } as const]) await apply(fact);
  const { _sum } = await ledger.db.subscriptionPeriod.aggregate({
    where: { subscription: { userId } },
    _sum: { creditsShort: true },
  });
  return { balance: await balance(), owed: _sum.creditsShort };
}

// Issue 26, law 1: "a lot of two payments: less the sum over its parts, and what is missing to that is owed". The two gave
// 1,200, 900 are away and 1,000 spent, so that 700 are owed and nothing is there.
test("SM1 what one payment of a shared lot gets back pays what the other one owes of it", async () => {
  expect(await live(false)).toEqual({ balance: 0, owed: 700 });
});

// Law 2: the same facts, in any order, end in the same balances and debts.
test("SM2 and the order of the refund and the dispute changes nothing", async () => {
  expect(await live(false)).toEqual(await live(true));
});

// Decisions 8.6.6: given back "with the end of the lot it was taken from". Rule 4: a revived lot lasts 24 hours.
test("SM3 credits taken from a revived lot come back for its 24 hours, not for the month", async () => {
  const base = await payYear();
  await spend(50, "first");
  await passMonth();
  await spend(300, "second");
  await ledger.db.$transaction((transaction) =>
    refundRun({ source: sourceOf("first") }, transaction),
  );
  expect(await balance()).toBe(50);
  const dispute = subscription.disputed(base, { returnId: `dp_${userId}` });
  await apply(dispute);
  await apply({ ...dispute, state: "won" });
  const [lot] = await ledger.db.creditTransaction.findMany({
    where: { userId, remaining: { gt: 0 } },
  });
  expect(lot).toMatchObject({ remaining: 50 });
  expect(lot?.expiresAt?.getTime()).toBeLessThan(inFuture(25 * HOUR).getTime());
});
