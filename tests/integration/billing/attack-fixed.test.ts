import { beforeEach, expect, test } from "vitest";
import type { Prices } from "~/env/prices";
import { runDueGrants } from "~/models/billing/periods/grant-run.server";
import { dropReturns } from "~/models/billing/returns/drop-return.server";
import { matchKeptReturns } from "~/models/billing/returns/kept-returns.server";
import { getBalance } from "~/models/credits/balance.server";
import { spendCredits } from "~/models/credits/spends.server";
import { auditLedger } from "~/models/upkeep/audit.server";
import type { BillingEvent } from "~/services/payments/billing-event";
import { readStripeDelivery } from "~/services/payments/stripe/stripe-delivery";
import { compareReturn } from "../../../scripts/billing/compare-returns";
import type { Comparison } from "../../../scripts/billing/comparison";
import {
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
const [B_START, B_END] = [inFuture(-DAY), inFuture(29 * DAY)];
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

/** Stripe's `charge.refunded` of a payment that was refunded in full, as its reader gives it. */
function figureOf(payment_intent: string | null, amount: number): BillingEvent[] {
  const created = Math.floor(Date.now() / 1000);
  const charge = {
    id: `ch_${payment_intent}`,
    payment_intent,
    amount,
    amount_refunded: amount,
    currency: "usd",
    created,
  };
  const payload = { id: "evt_1", type: "charge.refunded", created, data: { object: charge } };
  const body = new TextEncoder().encode(JSON.stringify(payload));
  return readStripeDelivery(body, {} as Prices)?.events ?? [];
}

test("C6 two subscriptions: the link of the second's payment comes, its refund, then its invoice", async () => {
  const other = newSubscription(userId);
  const a = subscription.paid(START, MONTH_END);
  await apply(subscription.changed(START, MONTH_END, { startedAt: START }), a);
  const b = other.paid(B_START, B_END);
  const intentId = `pi_b_${userId}`;
  await apply({ kind: "invoice_linked", invoiceId: b.invoiceId ?? "", intentId, amount: 900 });
  await apply(other.refunded({ ...b, ...paidBy(intentId) }, 900));
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
});

test("C6b and a later event of that refund leaves the first month as it was, and verify is content", async () => {
  const other = newSubscription(userId);
  const a = subscription.paid(START, MONTH_END);
  await apply(subscription.changed(START, MONTH_END, { startedAt: START }), a);
  const b = other.paid(B_START, B_END);
  const intentId = `pi_b_${userId}`;
  await apply({ kind: "invoice_linked", invoiceId: b.invoiceId ?? "", intentId, amount: 900 });
  const refund = other.refunded({ ...b, ...paidBy(intentId) }, 900);
  await apply(refund);
  await apply(other.changed(B_START, B_END, { startedAt: B_START }), b);
  await apply(refund);
  expect(await listFaults()).toEqual([]);
  expect(await balance()).toBe(300);
});

test("C7 link, then refund, then the invoice: the invoice's delivery applies the refund", async () => {
  const a = subscription.paid(START, MONTH_END);
  const intentId = `pi_${userId}`;
  await apply({ kind: "invoice_linked", invoiceId: a.invoiceId ?? "", intentId, amount: 900 });
  await apply(
    paymentReturned({
      paymentId: intentId,
      amount: 900,
      returnId: `re_${userId}`,
      currency: "usd",
    }),
  );
  await apply(subscription.changed(START, MONTH_END, { startedAt: START }));
  await apply(a);
  expect(await balance()).toBe(0);
});

const orders = (n: number): number[][] =>
  n === 0
    ? [[]]
    : orders(n - 1).flatMap((rest) =>
        Array.from({ length: n }, (_, at) => [...rest.slice(0, at), n - 1, ...rest.slice(at)]),
      );

test("C9 an upgrade in the first minutes, prorated from the period's own start, in all 24 orders", async () => {
  const outcomes = new Map<string, string>();
  for (const order of orders(4)) {
    userId = await createUser(ledger.db);
    subscription = newSubscription(userId);
    const at = new Date(START.getTime() + 300_000);
    const events: BillingEvent[] = [
      {
        ...subscription.changed(START, YEAR_END, { priceId: "price_starter_year" }),
        startedAt: START,
      },
      subscription.paid(START, YEAR_END, { amount: 9000, ...paidBy(`pi_b_${userId}`, 9000) }),
      {
        ...subscription.changed(START, YEAR_END, { priceId: "price_pro_year", occurredAt: at }),
        startedAt: START,
      },
      subscription.paid(START, YEAR_END, {
        covers: "upgrade",
        paidAt: at,
        priceId: "price_pro_year",
        amount: 20000,
        ...paidBy(`pi_u_${userId}`, 20000),
      }),
    ];
    for (const at of order) {
      await apply(events[at] as BillingEvent);
      await runDueGrants({}, ledger.db);
    }
    await runDueGrants({}, ledger.db);
    const now = await balance();
    await passMonths(1);
    outcomes.set(order.join(""), `${now} ${await balance()}`);
  }
  expect([...outcomes].filter(([, outcome]) => outcome !== "1200 1200")).toEqual([]);
});

test("C10 a deleted account: its dispute is won later, verify is content", async () => {
  const checkout = packCheckout(userId, { paymentId: `pi_p_${userId}` });
  await apply(checkout);
  const invoice = subscription.paid(START, YEAR_END, {
    amount: 9000,
    ...paidBy(`pi_${userId}`, 9000),
  });
  await apply(
    subscription.changed(START, YEAR_END, { priceId: "price_starter_year", startedAt: START }),
    invoice,
  );
  const of = { of: "dispute", currency: "usd" } as const;
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

test("C11 a link that moves a guessed return to another subscription doesn't deadlock with that one's own event", async () => {
  const other = newSubscription(userId);
  const a = subscription.paid(START, MONTH_END);
  await apply(subscription.changed(START, MONTH_END, { startedAt: START }), a);
  const b = other.paid(B_START, B_END);
  await apply(other.changed(B_START, B_END, { startedAt: B_START, priceId: "price_pro_month" }));
  await apply({ ...b, priceId: "price_pro_month", amount: 2900 });
  await runDueGrants({}, ledger.db);
  const intentId = `pi_b_${userId}`;
  // Guessed to the first: the charge is in its amount (a second payment of the other's invoice).
  await apply(other.refunded({ ...b, ...paidBy(intentId) }, 900));
  const { id: subscriptionId } = await ledger.db.subscription.findFirstOrThrow({
    where: { userId, providerSubscriptionId: subscription.providerSubscriptionId },
  });
  const own = ledger.db.$transaction(
    async (t) => {
      await t.$queryRaw`SELECT 1 AS a FROM subscriptions WHERE id = ${subscriptionId}::uuid FOR UPDATE`;
      await new Promise((resolve) => setTimeout(resolve, 800));
      await t.$queryRaw`SELECT 1 AS a FROM credit_accounts WHERE user_id = ${userId}::uuid FOR UPDATE`;
    },
    { timeout: 20_000 },
  );
  await new Promise((resolve) => setTimeout(resolve, 200));
  const link = apply({
    kind: "invoice_linked",
    invoiceId: b.invoiceId ?? "",
    intentId,
    amount: 900,
  });
  const outcomes = await Promise.allSettled([own, link]);
  expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled"]);
  await matchKeptReturns({ limit: 100 }, ledger.db);
  const periods = await ledger.db.subscriptionPeriod.findMany({
    where: { subscription: { userId } },
    orderBy: { startsAt: "asc" },
  });
  expect(periods.map(({ closedAt }) => closedAt === null)).toEqual([true, true]);
});

/** A starter year that is disputed, an upgrade of it that comes all the same, and the dispute won: before or after the upgrade. */
async function upgradeOfDisputed(order: "dispute first" | "upgrade first") {
  userId = await createUser(ledger.db);
  subscription = newSubscription(userId);
  const [from, to, at] = [inFuture(-26 * DAY), inFuture(339 * DAY), inFuture(-DAY)];
  const base = subscription.paid(from, to, { amount: 9000, ...paidBy(`pi_b_${userId}`, 9000) });
  const upgrade = subscription.paid(at, to, {
    covers: "upgrade",
    priceId: "price_pro_year",
    amount: 20000,
    ...paidBy(`pi_u_${userId}`, 20000),
  });
  const dispute = {
    of: "dispute" as const,
    paymentId: `pi_b_${userId}`,
    amount: 9000,
    returnId: `dp_${userId}`,
    currency: "usd",
  };
  await apply(
    { ...subscription.changed(from, to, { priceId: "price_starter_year" }), startedAt: from },
    base,
  );
  const events = [paymentReturned({ ...dispute, state: "open" }), upgrade];
  if (order === "upgrade first") events.reverse();
  for (const event of events) {
    await apply(event);
    await runDueGrants({}, ledger.db);
  }
  const open = await balance();
  await apply(paymentReturned({ ...dispute, state: "won" }));
  await runDueGrants({}, ledger.db);
  const won = await balance();
  const lots = await ledger.db.creditTransaction.findMany({
    where: { userId, remaining: { gt: 0 } },
  });
  const ends = [
    ...new Set(
      lots.map(({ expiresAt }) => Math.round(((expiresAt?.getTime() ?? 0) - Date.now()) / DAY)),
    ),
  ];
  return { open, won, ends };
}

test("C14 an upgrade told after its base was disputed gives what it gives told before", async () => {
  expect(await upgradeOfDisputed("dispute first")).toEqual(
    await upgradeOfDisputed("upgrade first"),
  );
});

test("C15 verify sees that a period is open though its whole payment was refunded, as Stripe's figure told", async () => {
  const a = subscription.paid(START, MONTH_END, paidBy(`pi_${userId}`, 900));
  await apply(subscription.changed(START, MONTH_END, { startedAt: START }), a);
  await apply(...figureOf(`pi_${userId}`, 900));
  await ledger.db.subscriptionPeriod.updateMany({
    where: { subscription: { userId } },
    data: { closedAt: null },
  });
  expect(await listFaults()).not.toEqual([]);
});

test("C15b and that an order owes nothing though its spent credits were refunded in money", async () => {
  const checkout = packCheckout(userId);
  await apply(checkout);
  await spendCredits({ userId, amount: 60, source: `test:${userId}` }, ledger.db);
  await apply(...figureOf(checkout.paymentId, 500));
  await ledger.db.order.updateMany({ where: { userId }, data: { creditsShort: 0 } });
  expect(await listFaults()).not.toEqual([]);
});

test("C16 a return that was dropped and whose payment came all the same is compared again", async () => {
  const checkout = packCheckout(userId);
  const names = { paymentId: checkout.paymentId, chargedAmount: 500, currency: "usd" };
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

test("C17 a refund of a month that has another subscription's upgrade open: two plans of one customer at one price, no link", async () => {
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
