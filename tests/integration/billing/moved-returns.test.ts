import { beforeEach, expect, test } from "vitest";
import { CURRENCY } from "~/catalog";
import type { Transaction } from "~/db.server";
import { runDueGrants } from "~/models/billing/periods/grant-run.server";
import { closeReturn, UNNAMED } from "~/models/billing/returns/close-return.server";
import { matchKeptReturns } from "~/models/billing/returns/kept-returns.server";
import { getBalance } from "~/models/credits/balance.server";
import { auditLedger } from "~/models/upkeep/audit.server";
import type { BillingEvent } from "~/services/payments/billing-event";
import { isTransactionConflict } from "~/utils/transaction-conflict";
import { PLAN, TOP_PLAN } from "../../fixtures/sold";
import {
  applyCreemEvents,
  applyEvents,
  newSubscription,
  packCheckout,
  paymentReturned,
  setUpBillingEnv,
} from "../../helpers/billing";
import { createUser, DAY, inFuture, openLedger } from "../../helpers/credits";
import { interject, untilWaiting } from "../../helpers/held-transaction";

setUpBillingEnv({ LOG_LEVEL: "silent" });
const ledger = openLedger();
let userId: string;
let subscription: ReturnType<typeof newSubscription>;
beforeEach(async () => {
  userId = await createUser(ledger.db);
  subscription = newSubscription(userId);
});
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
/** The operator says that the Creem pack's dispute is won. */
const win = (returnId: string | null = null) =>
  ledger.db.$transaction((transaction) =>
    closeReturn(
      { provider: "creem", paymentId: `ord_${userId}`, kind: "dispute", returnId },
      transaction,
    ),
  );

/** A pack at Creem, of whose payment reconcile told this much as disputed; the names of the payment. */
async function disputedFigure(amount: number) {
  const orderId = `ord_${userId}`;
  await applyCreemEvents(
    ledger.db,
    packCheckout(userId, { paymentId: orderId, checkoutId: `ch_${userId}` }),
  );
  const names = { paymentId: `tran_${userId}`, orderId, chargedAmount: 500, currency: CURRENCY };
  const dispute = { ...names, of: "dispute", state: "open" } as const;
  await applyCreemEvents(ledger.db, paymentReturned({ ...dispute, amount, returnId: null }));
  return dispute;
}

test("at Creem, a second dispute, made after the first was won, is one of its own", async () => {
  const dispute = await disputedFigure(500);
  await win();
  const first = { ...dispute, amount: 500, returnId: `dp_1_${userId}`, occurredAt: inFuture(-DAY) };
  await applyCreemEvents(ledger.db, paymentReturned(first));
  expect(await balance()).toBe(100);
  const second = { ...first, returnId: `dp_2_${userId}`, occurredAt: inFuture(DAY) };
  await applyCreemEvents(ledger.db, paymentReturned(second));
  expect(await balance()).toBe(0);
  await applyCreemEvents(ledger.db, paymentReturned(first));
  expect(await balance()).toBe(0);
});

test("at Creem, two disputes that were won as one figure both find it, each by its own amount", async () => {
  const dispute = await disputedFigure(500);
  await win();
  const late = (returnId: string, amount: number) =>
    applyCreemEvents(ledger.db, paymentReturned({ ...dispute, amount, returnId }));
  await late(`dp_1_${userId}`, 200);
  await late(`dp_2_${userId}`, 300);
  expect(await balance()).toBe(100);
  await late(`dp_3_${userId}`, 100);
  expect(await balance()).toBe(80);
});

test("at Creem, figures that are won one after the other get ids of their own, also after one was taken over", async () => {
  const dispute = await disputedFigure(100);
  const later = (amount: number, returnId: string | null = null) =>
    applyCreemEvents(ledger.db, paymentReturned({ ...dispute, amount, returnId }));
  await win();
  await later(250);
  expect(await win()).toMatchObject({ status: "several" });
  await win(UNNAMED);
  await later(100, `dp_1_${userId}`);
  await later(500);
  expect(await balance()).toBe(50);
  expect(await win(UNNAMED)).toMatchObject({ status: "closed", credits: 50 });
});

test("a wrong guess is kept again by the invoice itself, too, and finds its own payment later", async () => {
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

test("a payment that one of its returns names as the invoice's stays matched, though another one is linked first", async () => {
  const invoice = subscription.paid(START, MONTH_END);
  const invoiceId = invoice.invoiceId ?? "";
  await apply(subscription.changed(START, MONTH_END, { startedAt: START }), invoice);
  const part = { paymentId: `pi_2_${userId}`, chargedAmount: 450, currency: CURRENCY, amount: 450 };
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

/** A refund and a dispute of a second subscription's invoice, which were matched by guess to the first one. */
async function guessedReturns() {
  const [first, other] = [subscription, newSubscription(userId)];
  const a = first.paid(START, MONTH_END);
  const b = other.paid(START, MONTH_END, {
    priceId: `price_${TOP_PLAN.planKey}_month`,
    amount: 2900,
  });
  await apply(first.changed(START, MONTH_END, { startedAt: START }), a);
  await apply(other.changed(START, MONTH_END, { startedAt: START, priceId: b.priceId }), b);
  await runDueGrants({}, ledger.db);
  const before = await balance();
  const refund = other.refunded({ ...b, ...paidBy(`pi_b_${userId}`) }, 600, { chargedAmount: 900 });
  await apply(refund, other.disputed({ ...b, ...paidBy(`pi_b_${userId}`) }, { amount: 300 }));
  expect(await balance()).toBe(before - 300);
  /** Its next event names the invoice. */
  const named: BillingEvent = {
    ...refund,
    payment: { ...refund.payment, invoiceId: b.invoiceId, chargedAmount: 2900 },
  };
  return { named, before, other };
}

test("returns that move from a guessed period to their own settle both, and move together", async () => {
  const { named, before, other } = await guessedReturns();
  await apply(named);
  const returns = await ledger.db.paymentReturn.findMany({
    where: { providerPaymentId: `pi_b_${userId}` },
    select: { periodId: true },
  });
  const periods = await ledger.db.subscriptionPeriod.findMany({
    where: { subscription: { userId } },
    include: { subscription: true },
  });
  const periodOf = ({ providerSubscriptionId: id }: typeof other) =>
    periods.find((period) => period.subscription.providerSubscriptionId === id);
  const [guessed, own] = [periodOf(subscription), periodOf(other)];
  expect(periods).toHaveLength(2);
  expect(returns.map(({ periodId }) => periodId)).toEqual([own?.id, own?.id]);
  expect(guessed).toMatchObject({ planKey: PLAN.planKey, closedAt: null, creditsReversed: 0 });
  expect(own?.planKey).toBe(TOP_PLAN.planKey);
  expect(await balance()).toBe(before - (own?.creditsReversed ?? 0));
  expect(own?.creditsReversed).toBeGreaterThan(0);
  expect(await listFaults()).toEqual([]);
});

type Lock = "subscription" | "account";

/**
 * Another transaction of the user, which takes the first lock, waits, and takes the second. PostgreSQL ends
 * whoever finds a deadlock. This one looks for it after a minute only, so that the other one finds it.
 */
async function lockBoth(first: Lock, second: Lock, wait: () => Promise<void>) {
  const { providerSubscriptionId } = subscription;
  const take = (lock: Lock, transaction: Transaction) =>
    lock === "account"
      ? transaction.$queryRaw`
          SELECT 1 AS a FROM credit_accounts WHERE user_id = ${userId}::uuid FOR UPDATE`
      : transaction.$queryRaw`
          SELECT 1 AS a FROM subscriptions
          WHERE provider_subscription_id = ${providerSubscriptionId} FOR UPDATE`;
  let finished: Promise<unknown> = Promise.resolve();
  await new Promise<void>((resolve) => {
    finished = ledger.db.$transaction(
      async (transaction) => {
        await transaction.$executeRaw`SET LOCAL deadlock_timeout = '1min'`;
        await take(first, transaction);
        resolve();
        await wait();
        await take(second, transaction);
      },
      { timeout: 20_000 },
    );
  });
  return { finished };
}

test("a move of guessed returns doesn't deadlock with an event of the first subscription", async () => {
  const { named } = await guessedReturns();
  const { finished } = await lockBoth("subscription", "account", () => untilWaiting(ledger.db));
  const outcomes = await Promise.allSettled([apply(named), finished]);
  expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled"]);
});

/** A month whose payment was refunded before its link came: the refund is kept. */
async function keptRefund() {
  const invoice = subscription.paid(START, MONTH_END);
  await apply(subscription.changed(START, MONTH_END, { startedAt: START }), invoice);
  const intentId = `pi_${userId}`;
  const payment = { paymentId: intentId, chargedAmount: 900, currency: CURRENCY };
  await apply(paymentReturned({ ...payment, amount: 900, returnId: `re_${userId}` }));
  expect(await balance()).toBe(300);
  const invoiceId = invoice.invoiceId ?? "";
  return { kind: "invoice_linked" as const, invoiceId, intentId, amount: 900 };
}

/**
 * Lets the next return end in a deadlock: another transaction holds the account, and asks for the
 * subscription once the return has locked it. The return asks for the account last.
 */
function deadlockReturn() {
  const locked = new Promise<void>((resolve) => {
    interject("SELECT 1 AS locked FROM subscriptions", async () => {
      resolve();
      await untilWaiting(ledger.db);
    });
  });
  return lockBoth("account", "subscription", () => locked);
}

test("a link whose return ends in a deadlock fails, so that its delivery is retried", async () => {
  const link = await keptRefund();
  const { finished } = await deadlockReturn();
  await expect(apply(link)).rejects.toSatisfy(isTransactionConflict);
  await finished;
  expect(await balance()).toBe(300);
  await apply(link);
  expect(await balance()).toBe(0);
});

test("a kept return that ends in a deadlock is left to the next run, and the others are tried", async () => {
  const link = await keptRefund();
  const { invoiceId, intentId } = link;
  await ledger.db.invoicePayment.create({
    data: { provider: "stripe", providerPaymentId: invoiceId, providerIntentId: intentId },
  });
  const { finished } = await deadlockReturn();
  const run = () => matchKeptReturns({ limit: 100, userId }, ledger.db);
  expect(await run()).toBe(0);
  await finished;
  expect(await run()).toBe(1);
  expect(await balance()).toBe(0);
});

test("a serialization failure is a conflict, and other faults of the database are none", async () => {
  const thrown = (code: string) =>
    ledger.db
      .$executeRawUnsafe(
        `DO $$ BEGIN RAISE EXCEPTION 'on purpose' USING ERRCODE = '${code}'; END $$`,
      )
      .catch((error: unknown) => isTransactionConflict(error));
  expect(await thrown("40001")).toBe(true);
  expect(await thrown("40P01")).toBe(true);
  expect(await thrown("23505")).toBe(false);
});
