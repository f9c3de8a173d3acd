import { beforeEach, expect, test } from "vitest";
import { runDueGrants } from "~/models/billing/periods/grant-run.server";
import { closeReturn } from "~/models/billing/returns/close-return.server";
import { matchKeptReturns } from "~/models/billing/returns/kept-returns.server";
import { getBalance } from "~/models/credits/balance.server";
import { spendCredits } from "~/models/credits/spends.server";
import { auditLedger } from "~/models/upkeep/audit.server";
import type { BillingEvent, InvoicePaid } from "~/services/payments/billing-event";
import { HAS_TWO_PLANS, PLAN, TOP_PLAN } from "../../fixtures/sold";
import {
  applyCreemEvents,
  applyEvents,
  newSubscription,
  setUpBillingEnv,
} from "../../helpers/billing";
import { createUser, DAY, inFuture, openLedger, passTime } from "../../helpers/credits";
import { passPeriods } from "../../helpers/subscriptions";

setUpBillingEnv();
const ledger = openLedger();
let userId: string;
let subscription: ReturnType<typeof newSubscription>;
beforeEach(async () => {
  userId = await createUser(ledger.db);
  subscription = newSubscription(userId);
});

const [START, YEAR_END] = [inFuture(-2 * DAY), inFuture(363 * DAY)];
const apply = (...events: BillingEvent[]) => applyEvents(ledger.db, ...events);
const balance = () => getBalance(userId, ledger.db);
const periodsOf = () =>
  ledger.db.subscriptionPeriod.findMany({
    where: { subscription: { userId } },
    orderBy: { startsAt: "asc" },
  });
const rowOf = () => ledger.db.subscription.findFirstOrThrow({ where: { userId } });
const keptReturns = (paymentId: string) =>
  ledger.db.paymentReturn.count({
    where: { providerPaymentId: paymentId, orderId: null, periodId: null },
  });
const paidBy = (id: string) => ({ payments: [{ id, amount: null }] });

/** A year of the small plan for 90.00, whose first month was granted, and its invoice. */
async function payYear(more: Partial<InvoicePaid> = {}): Promise<InvoicePaid> {
  const invoice = subscription.paid(START, YEAR_END, {
    amount: 9000,
    ...paidBy(`pi_${userId}`),
    priceId: `price_${PLAN.planKey}_year`,
    ...more,
  });
  await apply(subscription.changed(START, YEAR_END, { priceId: `price_${PLAN.planKey}_year` }));
  await apply(invoice);
  expect(await balance()).toBe(300);
  return invoice;
}

/** Lets so many months pass, and an hour, so that no boundary falls on an earlier one; then runs the daily job. */
async function passMonths(months: number): Promise<number> {
  await passTime(ledger.db, userId, (31 * months * 24 + 1) * 60 * 60 * 1000);
  await passPeriods(ledger.db, userId, 31 * months * 24 + 1);
  return (await runDueGrants({}, ledger.db)).grants;
}

const expectSound = async () => expect((await auditLedger({}, ledger.db)).faults).toBe(0);

test("a year refunded in full gives no further month, and what is left of the running one is taken", async () => {
  const invoice = await payYear();
  await spendCredits({ userId, amount: 100, source: `test:${userId}` }, ledger.db);
  const refund = subscription.refunded(invoice, 9000);
  await apply(refund);
  await apply(refund);
  expect(await balance()).toBe(0);
  const [period] = await periodsOf();
  expect(period).toMatchObject({ amountReturned: 9000n, closedAt: expect.any(Date) });
  expect(await passMonths(3)).toBe(0);
  expect(await balance()).toBe(0);
  await expectSound();
});

test("a disputed payment closes its period, though its event names the payment only", async () => {
  const invoice = await payYear();
  await apply(subscription.disputed(invoice));
  expect(await balance()).toBe(0);
  expect(await passMonths(1)).toBe(0);
});

test("a third refunded lowers the running lot and every later month by a third", async () => {
  const invoice = await payYear();
  await apply(subscription.refunded(invoice, 3000));
  expect(await balance()).toBe(200);
  // A lower figure that arrives late.
  await apply(subscription.refunded(invoice, 1000));
  expect(await balance()).toBe(200);
  expect(await passMonths(1)).toBe(1);
  expect(await balance()).toBe(200);
  await apply(subscription.refunded(invoice, 4500));
  expect(await balance()).toBe(150);
  await apply(subscription.refunded(invoice, 9000));
  expect(await balance()).toBe(0);
  await expectSound();
});

test("what was spent stays spent: a return takes nothing from other lots", async () => {
  const invoice = await payYear();
  await spendCredits({ userId, amount: 290, source: `test:${userId}` }, ledger.db);
  await apply(subscription.refunded(invoice, 4500));
  expect(await balance()).toBe(0);
  await expectSound();
});

test("a return learns its period from invoice_payment.paid, whichever comes first", async () => {
  const invoice = await payYear({ payments: [] });
  const intentId = `pi_link_${userId}`;
  const dispute = subscription.disputed({ ...invoice, ...paidBy(intentId) });
  await apply(dispute);
  expect(await keptReturns(intentId)).toBe(1);
  expect(await balance()).toBe(300);
  const invoiceId = invoice.invoiceId ?? "";
  await apply({ kind: "invoice_linked", invoiceId, intentId, amount: null });
  expect(await keptReturns(intentId)).toBe(0);
  expect(await balance()).toBe(0);
});

test("a link that comes before its invoice is remembered", async () => {
  const intentId = `pi_early_${userId}`;
  const invoice = subscription.paid(START, YEAR_END, { amount: 9000 });
  await apply({
    ...{ kind: "invoice_linked", intentId, amount: null },
    invoiceId: invoice.invoiceId ?? "",
  });
  await apply(subscription.changed(START, YEAR_END));
  await apply(invoice);
  await apply(subscription.disputed({ ...invoice, ...paidBy(intentId) }));
  expect(await balance()).toBe(0);
});

test("a charge that names its invoice needs no link", async () => {
  const invoice = await payYear({ payments: [] });
  const { invoiceId } = invoice;
  await apply(subscription.refunded(invoice, 9000, { invoiceId, customerId: null }));
  expect(await balance()).toBe(0);
});

test("without a link, the customer's period of that amount and time is the one", async () => {
  const invoice = await payYear({ payments: [] });
  await apply(subscription.refunded(invoice, 5000, { chargedAmount: 5000 }));
  expect(await balance()).toBe(300);
  await apply(subscription.refunded(invoice, 9000, { paidAt: inFuture(-1.9 * DAY) }));
  expect(await balance()).toBe(0);
});

test("a return that matches nothing is kept until its payment comes", async () => {
  const invoice = subscription.paid(START, YEAR_END, { amount: 9000, ...paidBy(`pi_${userId}`) });
  await apply(subscription.refunded(invoice, 9000));
  expect(await keptReturns(`pi_${userId}`)).toBe(1);
  await apply(subscription.changed(START, YEAR_END));
  expect(await balance()).toBe(300);
  await apply(invoice);
  expect(await balance()).toBe(0);
  expect(await keptReturns(`pi_${userId}`)).toBe(0);
});

test("a return and its payment that arrive at the same time meet at the next maintenance", async () => {
  const invoice = subscription.paid(START, YEAR_END, { amount: 9000, ...paidBy(`pi_${userId}`) });
  await apply(subscription.changed(START, YEAR_END));
  await Promise.all([apply(subscription.refunded(invoice, 9000)), apply(invoice)]);
  await matchKeptReturns({ limit: 100 }, ledger.db);
  expect(await balance()).toBe(0);
  expect(await keptReturns(`pi_${userId}`)).toBe(0);
});

test.runIf(HAS_TWO_PLANS)(
  "when an upgrade is refunded the earlier period goes on, and no time is granted twice",
  async () => {
    await payYear();
    const pro = subscription.paid(inFuture(0), YEAR_END, {
      covers: "upgrade",
      priceId: `price_${TOP_PLAN.planKey}_year`,
      amount: 19_000,
      ...paidBy(`pi_pro_${userId}`),
    });
    await apply(pro);
    await runDueGrants({}, ledger.db);
    expect(await balance()).toBeGreaterThan(1000);
    const { nextGrantAt } = await rowOf();
    await apply(subscription.refunded(pro, 19_000));
    expect(await balance()).toBe(300);
    expect(await rowOf()).toMatchObject({ nextGrantAt, paidUntil: YEAR_END });
    expect(await runDueGrants({}, ledger.db)).toMatchObject({ grants: 0 });
    await expectSound();
  },
);

test("Creem names the subscription: the refund of a payment that it doesn't name closes the period", async () => {
  const { providerSubscriptionId } = subscription;
  const priceId = `prod_${PLAN.planKey}_year`;
  await applyCreemEvents(ledger.db, subscription.changed(START, YEAR_END, { priceId }));
  const invoice = subscription.paid(START, YEAR_END, {
    ...{ priceId, amount: null, invoiceId: null },
  });
  await applyCreemEvents(ledger.db, invoice);
  expect(await balance()).toBe(300);
  const refund = subscription.refunded(invoice, 9000, {
    chargedAmount: 9000,
    providerSubscriptionId,
    paymentId: "tran_unknown",
    orderId: "ord_unknown",
    customerId: null,
  });
  await applyCreemEvents(ledger.db, refund);
  expect(await balance()).toBe(0);
  expect(await periodsOf()).toMatchObject([{ amount: 9000n, amountReturned: 9000n }]);
});

test("a won dispute opens its period again and gives back what was taken, once", async () => {
  const invoice = await payYear();
  await spendCredits({ userId, amount: 100, source: `test:${userId}` }, ledger.db);
  await apply(subscription.disputed(invoice));
  expect(await balance()).toBe(0);
  const won = { provider: "stripe", paymentId: `pi_${userId}`, returnId: null } as const;
  const giveBack = () =>
    ledger.db.$transaction((transaction) => closeReturn({ ...won, kind: "dispute" }, transaction));
  expect(await giveBack()).toMatchObject({ status: "closed", userId, of: "period", credits: 200 });
  expect(await giveBack()).toMatchObject({ status: "closed_before" });
  expect(await balance()).toBe(200);
  expect(await passMonths(1)).toBe(1);
  // And lost again, with what was given back.
  await apply(subscription.disputed(invoice));
  expect(await balance()).toBe(0);
  await expectSound();
});

test("a renewal after a refunded period gives its months again", async () => {
  const invoice = await payYear();
  await apply(subscription.refunded(invoice, 9000));
  const [from, until] = [inFuture(-DAY), inFuture(364 * DAY)];
  await apply(subscription.paid(from, until, { amount: 9000 }));
  await runDueGrants({}, ledger.db);
  expect(await balance()).toBe(300);
});
