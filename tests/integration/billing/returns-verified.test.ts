import { beforeEach, expect, test } from "vitest";
import { CURRENCY } from "~/catalog";
import type { Prices } from "~/env/prices";
import { getBalance } from "~/models/credits/balance.server";
import { spendCredits } from "~/models/credits/spends.server";
import { auditLedger } from "~/models/upkeep/audit.server";
import type { BillingEvent } from "~/services/payments/billing-event";
import { readStripeDelivery } from "~/services/payments/stripe/stripe-delivery";
import { PLAN } from "../../fixtures/sold";
import {
  applyEvents,
  newSubscription,
  packCheckout,
  paymentReturned,
  setUpBillingEnv,
} from "../../helpers/billing";
import { createUser, DAY, inFuture, openLedger } from "../../helpers/credits";
import { silenceLog } from "../../helpers/silence-log";

setUpBillingEnv();
silenceLog();
const ledger = openLedger();
let userId: string;
let subscription: ReturnType<typeof newSubscription>;
beforeEach(async () => {
  userId = await createUser(ledger.db);
  subscription = newSubscription(userId);
});
const [START, MONTH_END, YEAR_END] = [inFuture(-2 * DAY), inFuture(28 * DAY), inFuture(363 * DAY)];
const apply = (...events: BillingEvent[]) => applyEvents(ledger.db, ...events);
const balance = () => getBalance(userId, ledger.db);
const listFaults = async () => {
  const faults: string[] = [];
  await auditLedger(
    { onFault: (fault) => fault.userId === userId && faults.push(fault.detail) },
    ledger.db,
  );
  return faults;
};
const paidBy = (id: string, amount: number | null = null) => ({ payments: [{ id, amount }] });

/** Stripe's `charge.refunded` of a payment that was refunded in full, as its reader gives it. */
function figureOf(payment_intent: string | null, amount: number): BillingEvent[] {
  const created = Math.floor(Date.now() / 1000);
  const charge = {
    id: `ch_${payment_intent}`,
    payment_intent,
    amount,
    amount_refunded: amount,
    currency: CURRENCY,
    created,
  };
  const payload = { id: "evt_1", type: "charge.refunded", created, data: { object: charge } };
  const body = new TextEncoder().encode(JSON.stringify(payload));
  return readStripeDelivery(body, {} as Prices)?.events ?? [];
}

test("verify sees that half of a month stays taken though nothing is away any more", async () => {
  const a = subscription.paid(START, MONTH_END, paidBy(`pi_${userId}`, 900));
  await apply(subscription.changed(START, MONTH_END, { startedAt: START }), a);
  await apply(
    paymentReturned({
      paymentId: `pi_${userId}`,
      amount: 450,
      returnId: `re_${userId}`,
      currency: CURRENCY,
    }),
  );
  expect(await balance()).toBe(150);
  await ledger.db.paymentReturn.updateMany({
    where: { providerReturnId: `re_${userId}` },
    data: { state: "failed" },
  });
  expect(await listFaults()).not.toEqual([]);
});

test("verify sees that a paid year's next month was put off", async () => {
  await apply(
    subscription.changed(START, YEAR_END, {
      startedAt: START,
      priceId: `price_${PLAN.planKey}_year`,
    }),
    subscription.paid(START, YEAR_END, { amount: 9000 }),
  );
  await ledger.db.subscription.updateMany({
    where: { userId },
    data: { nextGrantAt: inFuture(4000 * DAY) },
  });
  expect(await listFaults()).not.toEqual([]);
});

test("verify sees that a period is open though its whole payment was refunded, as Stripe's figure told", async () => {
  const a = subscription.paid(START, MONTH_END, paidBy(`pi_${userId}`, 900));
  await apply(subscription.changed(START, MONTH_END, { startedAt: START }), a);
  await apply(...figureOf(`pi_${userId}`, 900));
  await ledger.db.subscriptionPeriod.updateMany({
    where: { subscription: { userId } },
    data: { closedAt: null },
  });
  expect(await listFaults()).not.toEqual([]);
});

test("verify sees that an order owes nothing though its spent credits were refunded in money", async () => {
  const checkout = packCheckout(userId);
  await apply(checkout);
  await spendCredits({ userId, amount: 60, source: `test:${userId}` }, ledger.db);
  await apply(...figureOf(checkout.paymentId, 500));
  await ledger.db.order.updateMany({ where: { userId }, data: { creditsShort: 0 } });
  expect(await listFaults()).not.toEqual([]);
});

test("verify finds nothing wrong with a deleted account whose disputes are won later", async () => {
  const checkout = packCheckout(userId, { paymentId: `pi_p_${userId}` });
  await apply(checkout);
  const invoice = subscription.paid(START, YEAR_END, {
    amount: 9000,
    ...paidBy(`pi_${userId}`, 9000),
  });
  await apply(
    subscription.changed(START, YEAR_END, {
      priceId: `price_${PLAN.planKey}_year`,
      startedAt: START,
    }),
    invoice,
  );
  const of = { of: "dispute", currency: CURRENCY } as const;
  const first = { ...of, paymentId: `pi_p_${userId}`, amount: 500, returnId: `dp_1_${userId}` };
  const second = { ...of, paymentId: `pi_${userId}`, amount: 9000, returnId: `dp_2_${userId}` };
  await apply(
    paymentReturned({ ...first, state: "open" }),
    paymentReturned({ ...second, state: "open" }),
  );
  expect(await balance()).toBe(0);
  await ledger.db.user.update({
    where: { id: userId },
    data: { email: `deleted-${userId}@deleted.invalid`, passwordHash: null },
  });
  await apply(
    paymentReturned({ ...first, state: "won" }),
    paymentReturned({ ...second, state: "won" }),
  );
  expect(await listFaults()).toEqual([]);
});
