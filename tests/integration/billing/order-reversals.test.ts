import { beforeEach, expect, test } from "vitest";
import { CURRENCY } from "~/catalog";
import { listOrders, withNumberAmounts } from "~/models/billing/orders/orders.server";
import { closeReturn } from "~/models/billing/returns/close-return.server";
import { refundSpends } from "~/models/billing/returns/spend-refunds.server";
import { getBalance } from "~/models/credits/balance.server";
import { spendCredits } from "~/models/credits/spends.server";
import { auditLedger } from "~/models/upkeep/audit.server";
import type { CheckoutCompleted } from "~/services/payments/billing-event";
import { OTHER_CURRENCY } from "../../fixtures/sold";
import {
  applyCreemEvents,
  applyEvents,
  orderDisputed,
  orderRefunded,
  packCheckout,
  setUpBillingEnv,
} from "../../helpers/billing";
import { createLot, createUser, openLedger } from "../../helpers/credits";

setUpBillingEnv();
const ledger = openLedger();
let userId: string;
let checkout: CheckoutCompleted;
beforeEach(async () => {
  userId = await createUser(ledger.db);
  checkout = packCheckout(userId);
});

const apply = (...events: Parameters<typeof applyEvents>[1][]) => applyEvents(ledger.db, ...events);
const orderOf = async () =>
  withNumberAmounts(
    await ledger.db.order.findFirstOrThrow({
      where: { userId },
      select: {
        status: true,
        amount: true,
        amountRefunded: true,
        amountDisputed: true,
        creditsReversed: true,
        creditsShort: true,
      },
    }),
  );
const reversals = async () =>
  (
    await ledger.db.creditTransaction.findMany({
      where: { userId, type: "reversal" },
      orderBy: { id: "asc" },
      select: { amount: true, source: true },
    })
  ).map(({ amount, source }) => [amount, source.replace(checkout.checkoutId, "<id>")]);
const balance = () => getBalance(userId, ledger.db);
const sourceOf = (name: string) => `generation:${userId}-${name}`;
const spend = (amount: number, name: string) =>
  spendCredits({ userId, amount, source: sourceOf(name) }, ledger.db);
const giveBack = (name: string, amount?: number) =>
  ledger.db.$transaction((transaction) =>
    refundSpends([{ source: sourceOf(name), ...(amount ? { amount } : {}) }], transaction),
  );
const expectSound = async () => expect((await auditLedger({}, ledger.db)).faults).toBe(0);

const refunded = (amount: number, more = {}) => orderRefunded(checkout, amount, more);
const disputed = (amount: number, more = {}) => orderDisputed(checkout, amount, more);

test("a full refund takes all of the order's credits back, once", async () => {
  await apply(checkout);
  await apply(refunded(500));
  await apply(refunded(500));
  expect(await orderOf()).toEqual({
    status: "refunded",
    amount: 500,
    amountRefunded: 500,
    amountDisputed: 0,
    creditsReversed: 100,
    creditsShort: 0,
  });
  expect(await reversals()).toEqual([[-100, "reversal:stripe:<id>:500"]]);
  expect(await balance()).toBe(0);
  await expectSound();
});

test("partial refunds count by their cumulative amounts, and a lower amount arriving late is ignored", async () => {
  await apply(checkout);
  await apply(refunded(333));
  await apply(refunded(100));
  expect(await balance()).toBe(34);
  await apply(refunded(400));
  expect(await reversals()).toEqual([
    [-66, "reversal:stripe:<id>:333"],
    [-14, "reversal:stripe:<id>:400"],
  ]);
  expect(await orderOf()).toMatchObject({ status: "partially_refunded", creditsReversed: 80 });
  await expectSound();
});

test("a refund and a dispute of the same money take no more than was bought", async () => {
  await apply(checkout);
  await apply(refunded(300));
  await apply(disputed(500));
  expect(await orderOf()).toEqual({
    status: "disputed",
    amount: 500,
    amountRefunded: 300,
    amountDisputed: 500,
    creditsReversed: 100,
    creditsShort: 0,
  });
  expect(await balance()).toBe(0);
  await expectSound();
});

test("a dispute in another currency than the order's is kept until somebody says what was charged", async () => {
  await apply(checkout);
  await apply(disputed(115, { currency: OTHER_CURRENCY }));
  expect(await orderOf()).toMatchObject({ status: "paid", amountDisputed: 0 });
  await apply(refunded(230, { currency: OTHER_CURRENCY, chargedAmount: 460 }));
  expect(await orderOf()).toMatchObject({ status: "disputed", creditsReversed: 75 });
  expect(await balance()).toBe(25);
  await expectSound();
});

test("a kept return in another currency doesn't keep its order out", async () => {
  await apply(disputed(460, { currency: OTHER_CURRENCY }));
  await apply(checkout);
  expect(await orderOf()).toMatchObject({ status: "paid", creditsReversed: 0 });
  expect(await balance()).toBe(100);
});

test("a refund of an unpaid checkout counts once it is paid", async () => {
  await apply({ ...checkout, paymentStatus: "unpaid" });
  await apply(refunded(250));
  expect(await orderOf()).toMatchObject({ status: "pending", creditsReversed: 0 });
  await apply(checkout);
  expect(await balance()).toBe(50);
  await expectSound();
});

test("credits the lot no longer holds become a shortfall, and no other lot is touched", async () => {
  await apply(checkout);
  await spend(70, "a");
  await createLot(ledger.db, userId, 40);
  await apply(refunded(500));
  expect(await orderOf()).toMatchObject({ creditsReversed: 30, creditsShort: 70 });
  expect(await balance()).toBe(40);
  await expectSound();
});

test("a refund of a generation pays the shortfall first", async () => {
  await apply(checkout);
  await spend(70, "a");
  await apply(refunded(250));
  expect(await orderOf()).toMatchObject({ creditsReversed: 30, creditsShort: 20 });
  await giveBack("a");
  expect(await orderOf()).toMatchObject({ creditsReversed: 50, creditsShort: 0 });
  expect(await balance()).toBe(50);
  await giveBack("a");
  expect(await balance()).toBe(50);
  expect(await reversals()).toEqual([
    [-30, "reversal:stripe:<id>:250"],
    [-20, "reversal:stripe:<id>:250:2"],
  ]);
  await expectSound();
});

test("several refunds of generations pay a shortfall in parts", async () => {
  await apply(checkout);
  await spend(60, "a");
  await spend(40, "b");
  await apply(refunded(500));
  expect(await orderOf()).toMatchObject({ creditsReversed: 0, creditsShort: 100 });
  await giveBack("a", 10);
  await giveBack("b");
  expect(await orderOf()).toMatchObject({ creditsReversed: 50, creditsShort: 50 });
  expect(await balance()).toBe(0);
  await expectSound();
});

test("a reversal and a generation's refund at once leave no shortfall that could be paid", async () => {
  for (let round = 0; round < 20; round += 1) {
    userId = await createUser(ledger.db);
    checkout = packCheckout(userId);
    await apply(checkout);
    await spend(80, "a");
    await Promise.all([apply(refunded(500)), giveBack("a")]);
    expect(await orderOf()).toMatchObject({ creditsReversed: 100, creditsShort: 0 });
    expect(await balance()).toBe(0);
  }
  await expectSound();
});

test("a refund whose order hasn't arrived yet is kept, and counts once it has", async () => {
  await apply(refunded(500));
  await apply(checkout);
  expect(await balance()).toBe(0);
});

test("a refund of an unknown payment changes no order", async () => {
  await apply(checkout);
  await apply(refunded(900, { paymentId: "pi_else", metadata: null }));
  await apply(disputed(900, { paymentId: null, providerSubscriptionId: "sub_1" }));
  expect(await orderOf()).toMatchObject({ status: "paid", creditsReversed: 0 });
  expect(await balance()).toBe(100);
});

test("a dispute that comes before its order is kept for it, and applied once", async () => {
  await apply(disputed(500));
  await apply(disputed(500));
  await apply({ ...checkout, paymentStatus: "unpaid" });
  expect(await orderOf()).toMatchObject({ status: "pending" });
  await apply(checkout);
  expect(await orderOf()).toMatchObject({ status: "disputed", creditsReversed: 100 });
  expect(await balance()).toBe(0);
  const kept = { providerPaymentId: checkout.paymentId ?? "", orderId: null };
  expect(await ledger.db.paymentReturn.count({ where: kept })).toBe(0);
});

test("a won dispute gives an order's credits back, but for what was refunded, once", async () => {
  await apply(checkout);
  await apply(refunded(100));
  await spend(50, "spent");
  await apply(disputed(400));
  expect(await balance()).toBe(0);
  const won = { provider: "stripe", paymentId: checkout.paymentId ?? "", returnId: null } as const;
  const take = () =>
    ledger.db.$transaction((transaction) => closeReturn({ ...won, kind: "dispute" }, transaction));
  // 20 were refunded, 50 spent, so 30 were taken.
  expect(await take()).toMatchObject({ status: "closed", userId, of: "order", credits: 30 });
  expect(await take()).toMatchObject({ status: "closed_before" });
  expect(await orderOf()).toMatchObject({
    status: "partially_refunded",
    amountDisputed: 0,
    creditsReversed: 20,
    creditsShort: 0,
  });
  expect(await balance()).toBe(30);
  await expectSound();
});

test("Creem's figures are one sum: a refund and a dispute of one payment are not added up", async () => {
  const events = [refunded(100), disputed(200, { chargedAmount: 500 }), refunded(200)];
  await applyCreemEvents(ledger.db, checkout);
  for (const event of events) await applyCreemEvents(ledger.db, event);
  expect(await orderOf()).toMatchObject({ creditsReversed: 40, status: "disputed" });
});

test("an unpaid checkout is a pending order without credits, until it is paid", async () => {
  await apply({ ...checkout, paymentStatus: "unpaid" });
  expect(await orderOf()).toMatchObject({ status: "pending" });
  expect(await balance()).toBe(0);
  await apply({ ...checkout, paymentStatus: "no_payment_required" });
  expect(await balance()).toBe(0);
  await apply(checkout);
  await apply({ ...checkout, paymentStatus: "unpaid" });
  expect(await orderOf()).toMatchObject({ status: "paid" });
  expect(await balance()).toBe(100);
});

const FREE = { paymentStatus: "no_payment_required", amount: 0, paymentId: null } as const;

test("a checkout that a promotion code made free is a paid order of 0, and grants once", async () => {
  const free = { ...checkout, ...FREE };
  await Promise.all([apply(free), apply(free), apply(free)]);
  expect(await orderOf()).toMatchObject({ status: "paid", amount: 0 });
  expect(await balance()).toBe(100);
  await expectSound();
});

test("a free checkout of a price below the catalog's fails and grants nothing", async () => {
  for (const listed of [{ amount: 0, currency: CURRENCY }, null])
    await expect(apply({ ...checkout, ...FREE, listed })).rejects.toThrow(/before discounts/);
  expect(await ledger.db.order.count({ where: { userId } })).toBe(0);
});

test("amounts beyond 32 bits are recorded, and refunded, to the last unit", async () => {
  const amount = 3_000_000_000;
  const idr = { amount, currency: "idr" };
  await apply({ ...checkout, ...idr, listed: idr });
  await apply(refunded(1_500_000_000, { chargedAmount: amount, currency: "idr" }));
  expect(await orderOf()).toMatchObject({
    amount,
    amountRefunded: 1_500_000_000,
    status: "partially_refunded",
    creditsReversed: 50,
  });
  const [order] = await listOrders({ userId, limit: 1 }, ledger.db);
  expect(order).toMatchObject({ ...idr, amountRefunded: 1_500_000_000 });
  await apply(refunded(amount, { chargedAmount: amount, currency: "idr" }));
  expect(await orderOf()).toMatchObject({ amountRefunded: amount, status: "refunded" });
  expect(await balance()).toBe(0);
  await expectSound();
});

test("an unknown pack with our metadata fails; a checkout without it is not ours", async () => {
  const unknown = { userId, site: null, skuKey: "credits_huge", planKey: null, period: null };
  await expect(apply({ ...checkout, metadata: unknown })).rejects.toThrow(/no pack credits_huge/);
  await apply({ ...checkout, metadata: null });
  expect(await ledger.db.order.count({ where: { userId } })).toBe(0);
});
