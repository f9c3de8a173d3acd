import { beforeEach, expect, test } from "vitest";
import { CURRENCY } from "~/catalog";
import { runDueGrants } from "~/models/billing/periods/grant-run.server";
import { compareReturn } from "~/models/billing/reconciliation/compare-returns.server";
import type { Comparison } from "~/models/billing/reconciliation/comparison.server";
import { dropReturns } from "~/models/billing/returns/drop-return.server";
import { matchKeptReturns } from "~/models/billing/returns/kept-returns.server";
import { getBalance } from "~/models/credits/balance.server";
import { auditLedger } from "~/models/upkeep/audit.server";
import type { BillingEvent } from "~/services/payments/billing-event";
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
const [B_START, B_END] = [inFuture(-DAY), inFuture(29 * DAY)];
const [START, MONTH_END] = [inFuture(-2 * DAY), inFuture(28 * DAY)];
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

test("a refund of the operator's own charge, told before the invoice's link, leaves the month once that came", async () => {
  const invoice = subscription.paid(START, MONTH_END);
  await apply(subscription.changed(START, MONTH_END, { startedAt: START }), invoice);
  const own = {
    paymentId: `pi_own_${userId}`,
    customerId: `cus_${userId}`,
    paidAt: START,
    chargedAmount: 900,
    currency: CURRENCY,
  };
  await apply(paymentReturned({ ...own, amount: 900, returnId: null }));
  await apply({
    kind: "invoice_linked",
    invoiceId: invoice.invoiceId ?? "",
    intentId: `pi_real_${userId}`,
    amount: 900,
  });
  await matchKeptReturns({ limit: 100 }, ledger.db);
  expect(await balance()).toBe(300);
});

test("a refund of the operator's own charge, told before the invoice and its link, leaves the month once both came", async () => {
  await apply(subscription.changed(START, MONTH_END, { startedAt: START }));
  const own = {
    paymentId: `pi_own_${userId}`,
    customerId: `cus_${userId}`,
    paidAt: START,
    chargedAmount: 5000,
    currency: CURRENCY,
  };
  await apply(paymentReturned({ ...own, amount: 5000, returnId: `re_own_${userId}` }));
  const invoice = subscription.paid(START, MONTH_END);
  await apply(invoice);
  await apply({
    kind: "invoice_linked",
    invoiceId: invoice.invoiceId ?? "",
    intentId: `pi_real_${userId}`,
    amount: 900,
  });
  await matchKeptReturns({ limit: 100 }, ledger.db);
  await runDueGrants({}, ledger.db);
  expect(await balance()).toBe(300);
});

test("two subscriptions: a refund of the second's payment, whose link came before it and whose invoice comes later, is the second's", async () => {
  const other = newSubscription(userId);
  const a = subscription.paid(START, MONTH_END);
  await apply(subscription.changed(START, MONTH_END, { startedAt: START }), a);
  const b = other.paid(B_START, B_END);
  const intentId = `pi_b_${userId}`;
  await apply({ kind: "invoice_linked", invoiceId: b.invoiceId ?? "", intentId, amount: 900 });
  const refund = other.refunded({ ...b, ...paidBy(intentId) }, 900);
  await apply(refund);
  await apply(other.changed(B_START, B_END, { startedAt: B_START }));
  await apply(b);
  await matchKeptReturns({ limit: 100 }, ledger.db);
  await runDueGrants({}, ledger.db);
  const periods = await ledger.db.subscriptionPeriod.findMany({
    where: { subscription: { userId } },
    orderBy: { startsAt: "asc" },
  });
  expect(
    periods.map(({ providerPaymentId, closedAt }) => [
      providerPaymentId === a.invoiceId,
      closedAt === null,
    ]),
  ).toEqual([
    [true, true],
    [false, false],
  ]);
  expect(await balance()).toBe(300);
  // Told again.
  await apply(refund);
  expect(await listFaults()).toEqual([]);
  expect(await balance()).toBe(300);
});

test("a refund that comes between the link and the invoice is applied by the invoice", async () => {
  const a = subscription.paid(START, MONTH_END);
  const intentId = `pi_${userId}`;
  await apply({ kind: "invoice_linked", invoiceId: a.invoiceId ?? "", intentId, amount: 900 });
  await apply(
    paymentReturned({
      paymentId: intentId,
      amount: 900,
      returnId: `re_${userId}`,
      currency: CURRENCY,
    }),
  );
  await apply(subscription.changed(START, MONTH_END, { startedAt: START }));
  await apply(a);
  expect(await balance()).toBe(0);
});

test("of two subscriptions at one price, a refund without a link fits the one whose payment isn't known", async () => {
  const other = newSubscription(userId);
  const a = subscription.paid(START, MONTH_END);
  const b = other.paid(START, MONTH_END);
  await apply(subscription.changed(START, MONTH_END, { startedAt: START }), a);
  await apply(other.changed(START, MONTH_END, { startedAt: START }), b);
  const refund = other.refunded({ ...b, ...paidBy(`pi_b_${userId}`) }, 900);
  await apply(refund);
  expect(await balance()).toBe(600);
  // Only the first one's link comes: what is left fits one period, and that is the right one.
  await apply({
    kind: "invoice_linked",
    invoiceId: a.invoiceId ?? "",
    intentId: `pi_a_${userId}`,
    amount: 900,
  });
  await matchKeptReturns({ limit: 100, guess: true }, ledger.db);
  expect(await balance()).toBe(300);
  expect(await listFaults()).toEqual([]);
});

test("a return that was dropped, and whose payment came all the same, is compared by reconcile again", async () => {
  const checkout = packCheckout(userId);
  const names = { paymentId: checkout.paymentId, chargedAmount: 500, currency: CURRENCY };
  await apply(paymentReturned({ ...names, of: "refund", amount: 100, returnId: `re_1_${userId}` }));
  const kept = await ledger.db.paymentReturn.findMany({
    where: { providerReturnId: `re_1_${userId}` },
  });
  await dropReturns({ ids: kept.map(({ id }) => id), reason: "another shop's" }, ledger.db);
  await apply(checkout);
  expect(await balance()).toBe(80);
  // Its webhook is lost.
  const second = paymentReturned({
    ...names,
    of: "refund",
    amount: 400,
    returnId: `re_2_${userId}`,
  });
  const comparison = {
    db: ledger.db,
    records: { name: "stripe" },
    userId: null,
  } as unknown as Comparison;
  expect(await compareReturn(second, comparison)).toMatchObject([{ repair: { events: [second] } }]);
});
