import { beforeEach, expect, test } from "vitest";
import type { PaymentProviderName } from "~/env/payments";
import { runDueGrants } from "~/models/billing/periods/grant-run.server";
import { closeReturn } from "~/models/billing/returns/close-return.server";
import { refundSpends } from "~/models/billing/returns/spend-refunds.server";
import { getBalance } from "~/models/credits/balance.server";
import { spendCredits } from "~/models/credits/spends.server";
import { auditLedger } from "~/models/upkeep/audit.server";
import type { CheckoutCompleted, InvoicePaid, ReturnKind } from "~/services/payments/billing-event";
import { OTHER_CURRENCY, PLAN } from "../../fixtures/sold";
import {
  applyCreemEvents,
  applyEvents,
  newSubscription,
  orderDisputed,
  orderRefunded,
  packCheckout,
  setUpBillingEnv,
} from "../../helpers/billing";
import {
  createUser,
  DAY,
  inFuture,
  listRemaining,
  openLedger,
  passTime,
} from "../../helpers/credits";
import { passPeriods } from "../../helpers/subscriptions";

setUpBillingEnv();
const ledger = openLedger();
let userId: string;
let checkout: CheckoutCompleted;
let subscription: ReturnType<typeof newSubscription>;
beforeEach(async () => {
  userId = await createUser(ledger.db);
  checkout = packCheckout(userId);
  subscription = newSubscription(userId);
});

const START = inFuture(-DAY);
const apply = (...events: Parameters<typeof applyEvents>[1][]) => applyEvents(ledger.db, ...events);
const balance = () => getBalance(userId, ledger.db);
const spend = (amount: number, name: string) =>
  spendCredits({ userId, amount, source: `test:${userId}:${name}` }, ledger.db);
const giveBack = (name: string) =>
  ledger.db.$transaction((transaction) =>
    refundSpends([{ source: `test:${userId}:${name}` }], transaction),
  );
const close = (
  provider: PaymentProviderName,
  paymentId: string,
  kind: ReturnKind,
  returnId: string | null = null,
) =>
  ledger.db.$transaction((transaction) =>
    closeReturn({ provider, paymentId, kind, returnId }, transaction),
  );
const orderOf = () => ledger.db.order.findFirstOrThrow({ where: { userId } });
const expectSound = async () => expect((await auditLedger({}, ledger.db)).faults).toBe(0);

/** A month or a year of the small plan whose first month was granted, and its invoice. */
async function pay(days: 30 | 365, end = inFuture((days - 1) * DAY)): Promise<InvoicePaid> {
  const priceId = `price_${PLAN.planKey}_${days === 30 ? "month" : "year"}`;
  const invoice = subscription.paid(START, end, {
    ...{ amount: days === 30 ? 900 : 9000, priceId },
    payments: [{ id: `pi_${userId}`, amount: null }],
  });
  await apply(subscription.changed(START, end, { priceId }), invoice);
  expect(await balance()).toBe(300);
  return invoice;
}

test.each([
  ["stripe", applyEvents],
  ["creem", applyCreemEvents],
] as const)(
  "%s: rounds of a dispute that is won, told again and won again give a month once",
  async (provider, applyTo) => {
    const priceId = `${provider === "stripe" ? "price" : "prod"}_${PLAN.planKey}_month`;
    const end = inFuture(29 * DAY);
    const [paymentId, invoiceId] = [`pi_${userId}`, `in_${userId}`];
    const invoice = subscription.paid(START, end, {
      ...{ priceId, invoiceId, payments: [{ id: paymentId, amount: null }] },
    });
    await applyTo(ledger.db, subscription.changed(START, end, { priceId }), invoice);
    const names =
      provider === "stripe" ? {} : { paymentId: invoiceId, orderId: paymentId, chargedAmount: 900 };
    const dispute = subscription.disputed(invoice, names);
    await applyTo(ledger.db, dispute);
    expect(await balance()).toBe(0);
    expect(await close(provider, paymentId, "dispute")).toMatchObject({ credits: 300 });
    for (let round = 0; round < 3; round += 1) {
      // The same again, funds withdrawn late, and lost as somebody told before.
      await applyTo(ledger.db, dispute);
      await applyTo(ledger.db, { ...dispute, state: "lost" });
      expect(await close(provider, paymentId, "dispute")).toMatchObject({
        status: "closed_before",
      });
      expect(await balance()).toBe(300);
    }
    await expectSound();
  },
);

test("a dispute that was won long ago, and is told only now, takes nothing and owes nothing", async () => {
  await apply(checkout);
  await spend(60, "run");
  await apply(orderDisputed(checkout, 500, { returnId: `dp_${userId}`, state: "won" }));
  expect(await orderOf()).toMatchObject({ status: "paid", creditsReversed: 0, creditsShort: 0 });
  await apply(orderDisputed(checkout, 500, { returnId: `dp_${userId}` }));
  expect(await orderOf()).toMatchObject({ status: "paid", creditsReversed: 0, creditsShort: 0 });
  await giveBack("run");
  expect(await balance()).toBe(100);
});

test("a won dispute of a pack, told again, leaves no debt that a generation's refund would pay", async () => {
  await apply(checkout);
  await spend(40, "run");
  const dispute = orderDisputed(checkout, 500);
  await apply(dispute);
  await apply({ ...dispute, state: "won" });
  await apply(dispute);
  expect(await orderOf()).toMatchObject({ status: "paid", creditsReversed: 0, creditsShort: 0 });
  await giveBack("run");
  expect(await balance()).toBe(100);
  await expectSound();
});

test("credits that a won dispute gave back are taken by the next refund or dispute of the payment", async () => {
  for (const next of ["refund", "dispute"]) {
    userId = await createUser(ledger.db);
    checkout = packCheckout(userId);
    await apply(checkout);
    const dispute = orderDisputed(checkout, 500);
    await apply(dispute);
    await apply({ ...dispute, state: "won" });
    expect(await balance()).toBe(100);
    const again =
      next === "refund"
        ? orderRefunded(checkout, 500)
        : orderDisputed(checkout, 500, { state: "lost" });
    await apply(again);
    expect(await balance()).toBe(0);
    expect(await orderOf()).toMatchObject({ creditsReversed: 100, creditsShort: 0 });
  }
  await expectSound();
});

test("two disputes of one payment count both", async () => {
  await apply(checkout);
  await apply(orderDisputed(checkout, 200), orderDisputed(checkout, 300));
  expect(await balance()).toBe(0);
  expect(await orderOf()).toMatchObject({ amountDisputed: 500n, creditsReversed: 100 });
});

test("a refund of a pack that fails gives its credits back", async () => {
  await apply(checkout);
  const refund = { returnId: `re_${userId}` };
  await apply(orderRefunded(checkout, 500, refund), orderRefunded(checkout, 500));
  expect(await balance()).toBe(0);
  await apply(orderRefunded(checkout, 500, { ...refund, state: "failed" }));
  expect(await balance()).toBe(100);
  expect(await orderOf()).toMatchObject({ status: "paid", amountRefunded: 0n });
  // News from before.
  await apply(orderRefunded(checkout, 500, refund), orderRefunded(checkout, 500));
  expect(await balance()).toBe(100);
  await expectSound();
});

test("refund-failed gives a pack's credits back though a dispute of it, told first, is kept", async () => {
  await apply(
    checkout,
    orderDisputed(checkout, 460, { currency: OTHER_CURRENCY, state: "inquiry" }),
  );
  await apply(orderRefunded(checkout, 500, { returnId: `re_${userId}` }));
  expect(await balance()).toBe(0);
  expect(await close("stripe", checkout.paymentId ?? "", "refund")).toMatchObject({
    ...{ status: "closed", of: "order", credits: 100 },
  });
  expect(await balance()).toBe(100);
  await expectSound();
});

test("a refund of a year that fails opens the year again", async () => {
  const invoice = await pay(365);
  const refund = { returnId: `re_${userId}` };
  await apply(subscription.refunded(invoice, 9000, refund));
  expect(await balance()).toBe(0);
  await apply(subscription.refunded(invoice, 9000, { ...refund, state: "failed" }));
  expect(await balance()).toBe(300);
  expect(await passMonth()).toBe(1);
  await expectSound();
});

test("creem: a pending refund counts, until the operator tells that it failed", async () => {
  await applyCreemEvents(ledger.db, { ...checkout, productId: null });
  const refund = { returnId: `re_${userId}`, state: "pending" } as const;
  await applyCreemEvents(ledger.db, orderRefunded(checkout, 500, refund));
  expect(await balance()).toBe(0);
  const paymentId = checkout.paymentId ?? "";
  expect(await close("creem", paymentId, "refund")).toMatchObject({ credits: 100 });
  expect(await close("creem", paymentId, "refund")).toMatchObject({ status: "closed_before" });
  expect(await balance()).toBe(100);
});

/** Lets a month and an hour pass; then runs the daily job. */
async function passMonth(): Promise<number> {
  await passTime(ledger.db, userId, (31 * 24 + 1) * 60 * 60 * 1000);
  await passPeriods(ledger.db, userId, 31 * 24 + 1);
  return (await runDueGrants({}, ledger.db)).grants;
}

test("of a month in two lots a return takes one amount, not one of each", async () => {
  const invoice = await pay(365);
  await spend(150, "run");
  const dispute = subscription.disputed(invoice);
  await apply(dispute);
  await apply({ ...dispute, state: "won" });
  await giveBack("run");
  expect(await balance()).toBe(300);
  await apply(subscription.refunded(invoice, 3000));
  expect(await balance()).toBe(200);
  await expectSound();
});

test("beside last month's lot, which a generation's refund revived, a return takes this month's part only", async () => {
  const invoice = await pay(365);
  await spend(200, "run");
  expect(await passMonth()).toBe(1);
  await giveBack("run");
  expect(await balance()).toBe(500);
  await apply(subscription.refunded(invoice, 3000));
  expect(await balance()).toBe(400);
  expect(await listRemaining(ledger.db, userId)).toEqual([200, 200]);
  await expectSound();
});

test("what a dispute took from a revived lot comes back for that lot's 24 hours, not for the month", async () => {
  const invoice = await pay(365);
  await spend(50, "first");
  expect(await passMonth()).toBe(1);
  await spend(280, "second");
  await giveBack("first");
  expect(await balance()).toBe(70);
  const dispute = subscription.disputed(invoice);
  await apply(dispute);
  expect(await balance()).toBe(0);
  await apply({ ...dispute, state: "won" });
  const lots = await ledger.db.creditTransaction.findMany({
    where: { userId, remaining: { gt: 0 } },
    orderBy: { remaining: "asc" },
  });
  expect(lots.map(({ remaining }) => remaining)).toEqual([20, 50]);
  const [month, revived] = lots.map(({ expiresAt }) => Number(expiresAt));
  expect(month).toBeGreaterThan(Number(inFuture(2 * DAY)));
  expect(revived).toBeLessThan(Number(inFuture(1.01 * DAY)));
  await expectSound();
});

test("a generation's refund after its month was refunded pays what the month owes", async () => {
  const invoice = await pay(30);
  await spend(280, "run");
  await apply(subscription.refunded(invoice, 900));
  expect(await balance()).toBe(0);
  await giveBack("run");
  expect(await balance()).toBe(0);
  await expectSound();
});

test("so it does where the credits came from a lot that a won dispute gave", async () => {
  const invoice = await pay(30);
  const dispute = subscription.disputed(invoice);
  await apply(dispute);
  await apply({ ...dispute, state: "won" });
  await spend(280, "run");
  await apply(subscription.refunded(invoice, 900));
  expect(await balance()).toBe(0);
  await giveBack("run");
  expect(await balance()).toBe(0);
  await expectSound();
});
