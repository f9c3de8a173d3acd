import { beforeEach, expect, test } from "vitest";
import { runDueGrants } from "~/models/billing/periods/grant-run.server";
import { matchKeptReturns } from "~/models/billing/returns/kept-returns.server";
import { listKept } from "~/models/billing/returns/known-returns.server";
import { getBalance } from "~/models/credits/balance.server";
import { auditLedger } from "~/models/upkeep/audit.server";
import type { BillingEvent, InvoicePaid } from "~/services/payments/billing-event";
import { OTHER_CURRENCY, PLAN } from "../../fixtures/sold";
import {
  applyCreemEvents,
  applyEvents,
  newSubscription,
  orderDisputed,
  orderRefunded,
  packCheckout,
  paymentReturned,
  setUpBillingEnv,
} from "../../helpers/billing";
import { createUser, DAY, inFuture, openLedger } from "../../helpers/credits";

setUpBillingEnv({
  LOG_LEVEL: "silent",
});
const ledger = openLedger();
let userId: string;
let subscription: ReturnType<typeof newSubscription>;
beforeEach(async () => {
  userId = await createUser(ledger.db);
  subscription = newSubscription(userId);
  await ledger.db.paymentReturn.deleteMany({ where: { orderId: null, periodId: null } });
});

const [START, END] = [inFuture(-2 * DAY), inFuture(28 * DAY)];
const apply = (...events: BillingEvent[]) => applyEvents(ledger.db, ...events);
const balance = (id = userId) => getBalance(id, ledger.db);
const match = (options: Partial<Parameters<typeof matchKeptReturns>[0]> = {}) =>
  matchKeptReturns({ limit: 100, ...options }, ledger.db);
const keptOf = (paymentId: string) =>
  ledger.db.paymentReturn.count({
    where: { providerPaymentId: paymentId, orderId: null, periodId: null },
  });
const closedOf = async (id = userId) =>
  (await ledger.db.subscriptionPeriod.findMany({ where: { subscription: { userId: id } } })).map(
    ({ closedAt }) => closedAt !== null,
  );
const expectSound = async () => expect((await auditLedger({}, ledger.db)).faults).toBe(0);

/** A month, and its invoice without a link to its payment. */
async function payMonth(of = subscription, more: Partial<InvoicePaid> = {}): Promise<InvoicePaid> {
  const invoice = of.paid(START, END, more);
  await apply(of.changed(START, END), invoice);
  return invoice;
}

/** A refund that names the customer, but neither a payment of ours nor an invoice. */
const refundOf = (paymentId: string, amount: number, more = {}) =>
  paymentReturned({
    ...{ paymentId, amount, chargedAmount: amount, customerId: `cus_${userId}`, paidAt: START },
    ...more,
  });

test("a pack's refund that comes before its order is never a month's of the same price", async () => {
  await payMonth(subscription, { amount: 500 });
  const pack = packCheckout(userId, { customerId: `cus_${userId}` });
  const facts = { customerId: `cus_${userId}`, paidAt: START };
  await apply(orderRefunded(pack, 500, facts));
  expect(await balance()).toBe(300);
  expect(await closedOf()).toEqual([false]);
  await apply(pack);
  expect(await balance()).toBe(300);
  expect(await ledger.db.order.findFirst({ where: { userId } })).toMatchObject({
    status: "refunded",
    creditsReversed: 100,
  });
  await expectSound();
});

test("a refund that two subscriptions of a customer fit is kept, until its link says which it is", async () => {
  const other = newSubscription(userId);
  const first = await payMonth();
  await payMonth(other);
  const paymentId = `pi_${userId}`;
  await apply(refundOf(paymentId, 900));
  expect([await balance(), await closedOf()]).toEqual([600, [false, false]]);
  await match({ guess: true });
  expect(await keptOf(paymentId)).toBe(1);
  const link = { kind: "invoice_linked", intentId: paymentId, amount: null } as const;
  await apply({ ...link, invoiceId: first.invoiceId ?? "" });
  expect(await keptOf(paymentId)).toBe(0);
  expect(await balance()).toBe(300);
});

test("a refund of the operator's own charge never takes the next month of the same price", async () => {
  await payMonth(subscription, { payments: [{ id: `pi_first_${userId}`, amount: null }] });
  const own = `pi_own_${userId}`;
  await apply(refundOf(own, 900, { paidAt: inFuture(0) }));
  expect(await keptOf(own)).toBe(1);
  const renewal = subscription.paid(END, inFuture(58 * DAY));
  await apply(subscription.changed(END, inFuture(58 * DAY)), renewal);
  await match();
  const link = { kind: "invoice_linked", amount: null } as const;
  await apply({
    ...{ ...link, intentId: `pi_second_${userId}` },
    invoiceId: renewal.invoiceId ?? "",
  });
  await match();
  expect(await closedOf()).toEqual([false, false]);
  expect(await keptOf(own)).toBe(1);
});

test("a kept return that waits for its unpaid order stops no newer one", async () => {
  const poison = packCheckout(userId);
  await apply(orderDisputed(poison, 500));
  await apply({ ...poison, paymentStatus: "unpaid" });
  const invoice = subscription.paid(START, END, { payments: [] });
  const paymentId = `pi_${userId}`;
  await apply(subscription.disputed({ ...invoice, payments: [{ id: paymentId, amount: null }] }));
  await apply(subscription.changed(START, END), invoice);
  expect(await balance()).toBe(300);
  // The link came at the same time, so that neither saw the other.
  await ledger.db.invoicePayment.create({
    data: {
      ...{ provider: "stripe", providerPaymentId: invoice.invoiceId ?? "" },
      providerIntentId: paymentId,
    },
  });
  expect(await match()).toBeGreaterThan(0);
  expect(await keptOf(paymentId)).toBe(0);
  expect(await balance()).toBe(0);
  await apply(poison);
  expect(await balance()).toBe(0);
  await expectSound();
});

test("a kept return whose order can't be settled is logged, and stops neither the others nor the order", async () => {
  const pack = packCheckout(userId);
  const kept = orderRefunded(pack, 230, { currency: OTHER_CURRENCY, chargedAmount: null });
  await apply(kept);
  await apply(pack);
  expect(await balance()).toBe(100);
  expect(await match()).toBe(0);
  await apply({ ...kept, payment: { ...kept.payment, chargedAmount: 460 } });
  expect(await balance()).toBe(50);
});

test("hundreds of foreign kept returns don't keep the newest from being tried", async () => {
  for (let at = 0; at < 200; at += 1)
    await apply(paymentReturned({ paymentId: `pi_foreign_${at}_${userId}`, amount: 100 }));
  const invoice = await payMonth();
  const paymentId = `pi_${userId}`;
  const dispute = subscription.disputed({
    ...invoice,
    payments: [{ id: paymentId, amount: null }],
  });
  await apply(dispute);
  await ledger.db.invoicePayment.create({
    data: {
      ...{ provider: "stripe", providerPaymentId: invoice.invoiceId ?? "" },
      providerIntentId: paymentId,
    },
  });
  let matched = 0;
  for (let run = 0; run < 3; run += 1) matched += await match();
  expect(matched).toBe(1);
  expect(await balance()).toBe(0);
});

test("returns of another app's payments are kept, and named to nobody", async () => {
  await apply(
    paymentReturned({ paymentId: `pi_foreign_${userId}`, amount: 100, customerId: "cus_foreign" }),
  );
  expect(await keptOf(`pi_foreign_${userId}`)).toBe(1);
  expect(await listKept({}, ledger.db)).toEqual([]);
  await payMonth(subscription, { payments: [{ id: "pi_known", amount: null }] });
  await apply(refundOf(`pi_ours_${userId}`, 700));
  expect(await listKept({}, ledger.db)).toMatchObject([{ providerPaymentId: `pi_ours_${userId}` }]);
});

test("kept returns of everybody else stay kept if one user is reconciled", async () => {
  const invoice = await payMonth();
  const paymentId = `pi_${userId}`;
  await apply(subscription.disputed({ ...invoice, payments: [{ id: paymentId, amount: null }] }));
  await ledger.db.invoicePayment.create({
    data: {
      ...{ provider: "stripe", providerPaymentId: invoice.invoiceId ?? "" },
      providerIntentId: paymentId,
    },
  });
  const somebodyElse = await createUser(ledger.db);
  expect(await match({ guess: true, userId: somebodyElse })).toBe(0);
  expect(await balance()).toBe(300);
  expect(await match({ guess: true, userId })).toBe(1);
  expect(await balance()).toBe(0);
});

test("of an invoice that two payments paid, a refund of one takes its share of the whole", async () => {
  const payments = [
    { id: `pi_a_${userId}`, amount: 600 },
    { id: `pi_b_${userId}`, amount: 300 },
  ];
  const invoice = await payMonth(subscription, { payments });
  const [, second] = payments;
  const refund = (amount: number) =>
    subscription.refunded({ ...invoice, payments: second ? [second] : [] }, amount, {
      chargedAmount: 300,
    });
  await apply(refund(100));
  expect(await balance()).toBe(267);
  await apply(refund(300));
  expect(await balance()).toBe(200);
  await apply(
    subscription.refunded({ ...invoice, payments: payments.slice(0, 1) }, 600, {
      chargedAmount: 600,
    }),
  );
  expect([await balance(), await closedOf()]).toEqual([0, [true]]);
  await expectSound();
});

test("creem: where renewals bear the first checkout's order, a transaction's refund is its own period's", async () => {
  const [priceId, order] = [`prod_${PLAN.planKey}_month`, `ord_${userId}`];
  const applyTo = (...events: BillingEvent[]) => applyCreemEvents(ledger.db, ...events);
  const month = (from: Date, until: Date, transaction: string) => [
    subscription.changed(from, until, { priceId }),
    subscription.paid(from, until, {
      ...{ priceId, invoiceId: `${transaction}_${userId}` },
      payments: [{ id: order, amount: null }],
    }),
  ];
  const [before, until] = [inFuture(-32 * DAY), inFuture(28 * DAY)];
  await applyTo(...month(before, START, "tran_1"));
  await applyTo(...month(START, until, "tran_2"));
  await runDueGrants({}, ledger.db);
  const second = subscription.paid(START, until);
  const names = { paymentId: `tran_2_${userId}`, orderId: order };
  await applyTo(subscription.refunded(second, 900, names));
  expect(await closedOf()).toEqual([false, true]);
  expect(await balance()).toBe(0);
  await expectSound();
});
