import { beforeEach, expect, test } from "vitest";
import { runDueGrants } from "~/models/billing/periods/grant-run.server";
import { closeReturn } from "~/models/billing/returns/close-return.server";
import { matchKeptReturns } from "~/models/billing/returns/kept-returns.server";
import { getBalance } from "~/models/credits/balance.server";
import { auditLedger } from "~/models/upkeep/audit.server";
import type { BillingEvent, InvoicePaid } from "~/services/payments/billing-event";
import {
  applyCreemEvents,
  applyEvents,
  newSubscription,
  packCheckout,
  paymentReturned,
  setUpBillingEnv,
} from "../../helpers/billing";
import { createUser, DAY, inFuture, openLedger, passTime } from "../../helpers/credits";
import { passPeriods } from "../../helpers/subscriptions";

setUpBillingEnv({ LOG_LEVEL: "silent" });
const ledger = openLedger();
let userId: string;
let subscription: ReturnType<typeof newSubscription>;
beforeEach(async () => {
  userId = await createUser(ledger.db);
  subscription = newSubscription(userId);
});
const [_B_START, _B_END] = [inFuture(-DAY), inFuture(29 * DAY)];
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
async function passMonths(months: number): Promise<{ grants: number; failed: string[] }> {
  const hours = 31 * months * 24 + 1;
  await passTime(ledger.db, userId, hours * 60 * 60 * 1000);
  await passPeriods(ledger.db, userId, hours);
  return runDueGrants({}, ledger.db);
}
const paidBy = (id: string, amount: number | null = null) => ({ payments: [{ id, amount }] });
const closing = (
  paymentId: string,
  kind: "dispute" | "refund",
  provider: "stripe" | "creem",
  returnId: string | null = null,
) => ledger.db.$transaction((t) => closeReturn({ provider, paymentId, kind, returnId }, t));

/** A pro year that the operator changed to starter at once: Stripe credits pro and charges starter, as prorations. */
async function downgradedYear(): Promise<InvoicePaid> {
  const year = subscription.paid(START, YEAR_END, {
    ...{ amount: 29000, priceId: "price_pro_year" },
    ...paidBy(`pi_${userId}`, 29000),
  });
  await apply(
    subscription.changed(START, YEAR_END, { priceId: "price_pro_year", startedAt: START }),
  );
  await apply(year);
  expect(await balance()).toBe(1200);
  await apply(
    subscription.changed(START, YEAR_END, {
      priceId: "price_starter_year",
      startedAt: START,
      occurredAt: new Date(),
    }),
    subscription.paid(inFuture(-1000), YEAR_END, {
      ...{ covers: "upgrade", priceId: "price_starter_year", amount: 0, replacesEarlier: true },
    }),
  );
  return year;
}

test("C1 a plan made smaller at once, with its unused time credited, grants the smaller plan's months", async () => {
  await downgradedYear();
  await passMonths(1);
  expect(await balance()).toBe(300);
});

test("C2 the dearer payment of a plan made smaller at once is refunded: grants and webhooks go on", async () => {
  const year = await downgradedYear();
  await apply(subscription.refunded(year, 29000));
  const { failed } = await passMonths(1);
  expect(failed).toEqual([]);
});

test("C2b and its webhooks don't fail for ever", async () => {
  const year = await downgradedYear();
  await apply(subscription.refunded(year, 29000));
  await passMonths(1);
  await apply(
    subscription.changed(START, YEAR_END, {
      priceId: "price_starter_year",
      occurredAt: new Date(),
      cancelAtPeriodEnd: true,
    }),
  );
});

test("C3 Creem: a dispute that reconcile told as a figure is won; its own webhook comes late", async () => {
  const checkout = packCheckout(userId, { paymentId: `ord_${userId}`, checkoutId: `ch_${userId}` });
  await applyCreemEvents(ledger.db, checkout);
  const names = {
    paymentId: `tran_${userId}`,
    orderId: `ord_${userId}`,
    chargedAmount: 500,
    currency: "usd",
    amount: 500,
  };
  // reconcile
  await applyCreemEvents(
    ledger.db,
    paymentReturned({ ...names, of: "dispute", state: "open", returnId: null }),
  );
  expect(await balance()).toBe(0);
  expect(await closing(`ord_${userId}`, "dispute", "creem")).toMatchObject({
    status: "closed",
    credits: 100,
  });
  // The stored delivery is retried, or replayed.
  await applyCreemEvents(
    ledger.db,
    paymentReturned({ ...names, of: "dispute", state: "open", returnId: `dp_${userId}` }),
  );
  expect(await balance()).toBe(100);
});

/** A pack at Creem, of whose payment reconcile told this much as disputed; the names of the payment. */
async function disputedFigure(amount: number) {
  const orderId = `ord_${userId}`;
  await applyCreemEvents(
    ledger.db,
    packCheckout(userId, { paymentId: orderId, checkoutId: `ch_${userId}` }),
  );
  const names = { paymentId: `tran_${userId}`, orderId, chargedAmount: 500, currency: "usd" };
  const dispute = { ...names, of: "dispute", state: "open" } as const;
  await applyCreemEvents(ledger.db, paymentReturned({ ...dispute, amount, returnId: null }));
  return dispute;
}

test("C3b Creem: a second dispute, made after the first was won, is one of its own", async () => {
  const dispute = await disputedFigure(500);
  await closing(`ord_${userId}`, "dispute", "creem");
  const first = { ...dispute, amount: 500, returnId: `dp_1_${userId}`, occurredAt: inFuture(-DAY) };
  await applyCreemEvents(ledger.db, paymentReturned(first));
  expect(await balance()).toBe(100);
  const second = { ...first, returnId: `dp_2_${userId}`, occurredAt: inFuture(DAY) };
  await applyCreemEvents(ledger.db, paymentReturned(second));
  expect(await balance()).toBe(0);
  await applyCreemEvents(ledger.db, paymentReturned(first));
  expect(await balance()).toBe(0);
});

test("C3c Creem: two disputes that were won as one figure both find it, each by its own amount", async () => {
  const dispute = await disputedFigure(500);
  await closing(`ord_${userId}`, "dispute", "creem");
  const late = (returnId: string, amount: number) =>
    applyCreemEvents(ledger.db, paymentReturned({ ...dispute, amount, returnId }));
  await late(`dp_1_${userId}`, 200);
  await late(`dp_2_${userId}`, 300);
  expect(await balance()).toBe(100);
  await late(`dp_3_${userId}`, 100);
  expect(await balance()).toBe(80);
});

test("C3d Creem: figures that are won one after the other get ids of their own, also after one was taken over", async () => {
  const dispute = await disputedFigure(100);
  const later = (amount: number, returnId: string | null = null) =>
    applyCreemEvents(ledger.db, paymentReturned({ ...dispute, amount, returnId }));
  const win = (id?: string) => closing(`ord_${userId}`, "dispute", "creem", id);
  await win();
  await later(250);
  expect(await win()).toMatchObject({ status: "several" });
  await win(`dp_2_${userId}`);
  await later(100, `dp_1_${userId}`);
  await later(500);
  expect(await balance()).toBe(50);
  expect(await win(`dp_3_${userId}`)).toMatchObject({ status: "closed", credits: 50 });
});

test("C4 refund-failed run again after another refund was made changes nothing", async () => {
  const checkout = packCheckout(userId, { paymentId: `pi_p_${userId}` });
  await apply(checkout);
  const names = { paymentId: `pi_p_${userId}`, chargedAmount: 500, currency: "usd", amount: 500 };
  await apply(paymentReturned({ ...names, returnId: `re_1_${userId}` }));
  await closing(`pi_p_${userId}`, "refund", "stripe");
  expect(await balance()).toBe(100);
  await apply(paymentReturned({ ...names, returnId: `re_2_${userId}` }));
  expect(await balance()).toBe(0);
  await closing(`pi_p_${userId}`, "refund", "stripe");
  expect(await balance()).toBe(0);
});

test("C5 the operator's own charge to the customer is refunded before the invoice's link comes", async () => {
  const invoice = subscription.paid(START, MONTH_END);
  await apply(subscription.changed(START, MONTH_END, { startedAt: START }), invoice);
  const own = {
    paymentId: `pi_own_${userId}`,
    customerId: `cus_${userId}`,
    paidAt: START,
    chargedAmount: 900,
    currency: "usd",
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

test("C8 the first month's payment isn't known: a refund of the customer's other charge of any amount leaves the month, once the invoice and link come", async () => {
  await apply(subscription.changed(START, MONTH_END, { startedAt: START }));
  const own = {
    paymentId: `pi_own_${userId}`,
    customerId: `cus_${userId}`,
    paidAt: START,
    chargedAmount: 5000,
    currency: "usd",
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

test("C5b a wrong guess is kept again by the invoice itself, too, and finds its own payment later", async () => {
  const other = newSubscription(userId);
  const invoice = subscription.paid(START, MONTH_END);
  const own = other.paid(START, MONTH_END);
  await apply(subscription.changed(START, MONTH_END, { startedAt: START }), invoice);
  const refund = other.refunded({ ...own, ...paidBy(`pi_own_${userId}`) }, 900);
  await apply(refund);
  expect(await balance()).toBe(0);
  await apply({ ...invoice, ...paidBy(`pi_real_${userId}`, 900) });
  expect(await balance()).toBe(300);
  await apply(other.changed(START, MONTH_END, { startedAt: START }), {
    ...own,
    ...paidBy(`pi_own_${userId}`, 900),
  });
  await runDueGrants({}, ledger.db);
  expect(await balance()).toBe(300);
  expect(
    await ledger.db.subscriptionPeriod.count({
      where: { subscription: { userId }, closedAt: { not: null } },
    }),
  ).toBe(1);
  expect(await listFaults()).toEqual([]);
});

test("C5c a payment that one of its returns names as the invoice's stays matched, though another one is linked first", async () => {
  const invoice = subscription.paid(START, MONTH_END);
  const invoiceId = invoice.invoiceId ?? "";
  await apply(subscription.changed(START, MONTH_END, { startedAt: START }), invoice);
  const part = { paymentId: `pi_2_${userId}`, chargedAmount: 450, currency: "usd", amount: 450 };
  await apply(
    paymentReturned({ ...part, invoiceId, amount: 0 }),
    paymentReturned({ ...part, of: "dispute", state: "open", returnId: `dp_${userId}` }),
  );
  const before = await balance();
  await apply({ kind: "invoice_linked", invoiceId, intentId: `pi_1_${userId}`, amount: 450 });
  const returns = await ledger.db.paymentReturn.findMany({
    where: { providerPaymentId: part.paymentId },
  });
  expect(returns.map(({ periodId }) => periodId === null)).toEqual([false, false]);
  expect(await balance()).toBe(before);
});

test("C12 verify sees that half of a month stays taken though nothing is away any more", async () => {
  const a = subscription.paid(START, MONTH_END, paidBy(`pi_${userId}`, 900));
  await apply(subscription.changed(START, MONTH_END, { startedAt: START }), a);
  await apply(
    paymentReturned({
      paymentId: `pi_${userId}`,
      amount: 450,
      returnId: `re_${userId}`,
      currency: "usd",
    }),
  );
  expect(await balance()).toBe(150);
  await ledger.db.paymentReturn.updateMany({
    where: { providerReturnId: `re_${userId}` },
    data: { state: "failed" },
  });
  expect(await listFaults()).not.toEqual([]);
});

test("C13 verify sees a paid year whose next month was put off for ever", async () => {
  await apply(
    subscription.changed(START, YEAR_END, { startedAt: START, priceId: "price_starter_year" }),
    subscription.paid(START, YEAR_END, { amount: 9000 }),
  );
  await ledger.db.subscription.updateMany({
    where: { userId },
    data: { nextGrantAt: inFuture(4000 * DAY) },
  });
  expect(await listFaults()).not.toEqual([]);
});
