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
import { silenceLog } from "../../helpers/silence-log";
import { passPeriods } from "../../helpers/subscriptions";

setUpBillingEnv();
silenceLog();
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
