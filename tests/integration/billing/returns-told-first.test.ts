import { expect, test } from "vitest";
import type { PlanKey } from "~/catalog";
import { runDueGrants } from "~/models/billing/periods/grant-run.server";
import { getBalance } from "~/models/credits/balance.server";
import type { BillingEvent } from "~/services/payments/billing-event";
import { HAS_TWO_PLANS, PLAN, TOP_PLAN } from "../../fixtures/sold";
import {
  applyCreemEvents,
  newSubscription,
  paymentReturned,
  setUpBillingEnv,
} from "../../helpers/billing";
import { createUser, DAY, HOUR, inFuture, openLedger, passTime } from "../../helpers/credits";
import { silenceLog } from "../../helpers/silence-log";
import { passPeriods } from "../../helpers/subscriptions";

setUpBillingEnv();
silenceLog();
const ledger = openLedger();
const [START, END] = [inFuture(-2 * DAY), inFuture(363 * DAY)];

async function live(order: readonly ("first" | "upgrade" | "refund")[]) {
  const userId = await createUser(ledger.db);
  const subscription = newSubscription(userId);
  const pay = (plan: PlanKey, days: number): BillingEvent[] => {
    const [paidAt, priceId] = [new Date(START.getTime() + days * DAY), `prod_${plan}_year`];
    return [
      subscription.changed(START, END, { startedAt: START, occurredAt: paidAt, priceId }),
      subscription.paid(START, END, {
        ...{ paidAt, priceId, amount: 9000, invoiceId: `tran_${plan}_${userId}` },
        payments: [{ id: `ord_${plan}_${userId}`, amount: null }],
      }),
    ];
  };
  const facts = {
    first: pay(PLAN.planKey, 0),
    upgrade: pay(TOP_PLAN.planKey, 1),
    refund: [
      paymentReturned({
        ...{ returnId: `ref_${userId}`, amount: 4500, chargedAmount: 9000 },
        ...{ paymentId: `tran_pro_${userId}`, orderId: `ord_pro_${userId}` },
        providerSubscriptionId: subscription.providerSubscriptionId,
        paidAt: new Date(START.getTime() + DAY),
      }),
    ],
  };
  const [active] = facts.first;
  if (active) await applyCreemEvents(ledger.db, active);
  for (const name of order) await applyCreemEvents(ledger.db, ...facts[name]);
  await runDueGrants({}, ledger.db);
  const now = await getBalance(userId, ledger.db);
  const hours = 31 * 24 + 1;
  await passTime(ledger.db, userId, hours * HOUR);
  await passPeriods(ledger.db, userId, hours);
  await runDueGrants({}, ledger.db);
  return { now, nextMonth: await getBalance(userId, ledger.db) };
}

test.runIf(HAS_TWO_PLANS)(
  "creem: half of an upgrade refunded, told before both payments, leaves 300 and half of 900",
  async () => {
    const inTime = await live(["first", "upgrade", "refund"]);
    expect(inTime).toEqual({ now: 750, nextMonth: 750 });
    expect(await live(["refund", "first", "upgrade"])).toEqual(inTime);
  },
);

test("and so it does told before the upgrade's payment comes first", async () => {
  const inTime = await live(["first", "upgrade", "refund"]);
  expect(await live(["refund", "upgrade", "first"])).toEqual(inTime);
});
