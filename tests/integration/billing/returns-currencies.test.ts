import { beforeEach, expect, test } from "vitest";
import { CURRENCY } from "~/catalog";
import { listKept } from "~/models/billing/returns/known-returns.server";
import { getBalance } from "~/models/credits/balance.server";
import { auditLedger } from "~/models/upkeep/audit.server";
import type { BillingEvent, InvoicePaid } from "~/services/payments/billing-event";
import { OTHER_CURRENCY } from "../../fixtures/sold";
import {
  applyEvents,
  newSubscription,
  orderDisputed,
  orderRefunded,
  packCheckout,
  setUpBillingEnv,
} from "../../helpers/billing";
import { createUser, DAY, inFuture, openLedger } from "../../helpers/credits";

// Money that goes back in another currency than its sale's.
setUpBillingEnv({ LOG_LEVEL: "silent" });
const ledger = openLedger();
let userId: string;
let subscription: ReturnType<typeof newSubscription>;
beforeEach(async () => {
  userId = await createUser(ledger.db);
  subscription = newSubscription(userId);
  await ledger.db.paymentReturn.deleteMany({ where: { orderId: null, periodId: null } });
});

const apply = (...events: BillingEvent[]) => applyEvents(ledger.db, ...events);
const balance = () => getBalance(userId, ledger.db);
const expectSound = async () => expect((await auditLedger({}, ledger.db)).faults).toBe(0);

async function payMonth(payments: InvoicePaid["payments"]): Promise<InvoicePaid> {
  const [start, end] = [inFuture(-2 * DAY), inFuture(28 * DAY)];
  const invoice = subscription.paid(start, end, { payments });
  await apply(subscription.changed(start, end), invoice);
  return invoice;
}

test("a month charged in another currency loses the share of that charge", async () => {
  const payments = [{ id: `pi_${userId}`, amount: null }];
  const invoice = await payMonth(payments);
  const eur = { currency: OTHER_CURRENCY, chargedAmount: 830 };
  await apply(subscription.refunded(invoice, 415, eur));
  expect(await balance()).toBe(150);
  expect(
    await ledger.db.subscriptionPeriod.findFirst({ where: { subscription: { userId } } }),
  ).toMatchObject({ amount: 900n, currency: CURRENCY, amountReturned: 450n });
});

test("a pack half refunded and then disputed in another currency has its half again once that is won", async () => {
  const pack = packCheckout(userId);
  const eur = { currency: OTHER_CURRENCY, chargedAmount: 460 };
  await apply(pack, orderRefunded(pack, 230, eur));
  const dispute = orderDisputed(pack, 230, eur);
  await apply(dispute);
  expect(await balance()).toBe(0);
  await apply({ ...dispute, state: "won" });
  expect(await balance()).toBe(50);
  await expectSound();
});

test.each([
  ["in another currency", 230, { currency: OTHER_CURRENCY, chargedAmount: 460 }, 250n, 50],
  ["with its tax", 550, { chargedAmount: 600 }, 550n, 9],
])(
  "a pack that is refunded %s says so in its own currency, and names the reversal by the sum",
  async (_how, amount, more, amountRefunded, left) => {
    const pack = packCheckout(userId);
    await apply(pack, orderRefunded(pack, amount, more));
    expect(await ledger.db.order.findFirst({ where: { userId } })).toMatchObject({
      amountRefunded,
    });
    expect(await balance()).toBe(left);
    const reversal = await ledger.db.creditTransaction.findFirst({
      where: { userId, type: "reversal" },
    });
    const sum = Math.min(amount, more.chargedAmount);
    expect(reversal?.source).toBe(`reversal:stripe:${pack.checkoutId}:${sum}`);
    await expectSound();
  },
);

// Stripe's dispute events never carry the charge, so that nothing that comes later tells it.
test("a dispute of our own order in a currency that nobody charged is named to the operator", async () => {
  const pack = packCheckout(userId);
  await apply(pack, orderDisputed(pack, 460, { currency: OTHER_CURRENCY }));
  expect(await balance()).toBe(100);
  const named = (await listKept({}, ledger.db)).map((row) => row.providerPaymentId);
  expect(named).toEqual([pack.paymentId]);
});

test("so is one of a month, which is known by its invoice's link", async () => {
  const payments = [{ id: `pi_${userId}`, amount: 900 }];
  const invoice = await payMonth(payments);
  await apply(subscription.disputed(invoice, { currency: OTHER_CURRENCY }));
  expect(await balance()).toBe(300);
  const named = (await listKept({}, ledger.db)).map((row) => row.providerPaymentId);
  expect(named).toEqual([`pi_${userId}`]);
});

test.each(["first", "last"])(
  "a charge in dollars doesn't divide a dispute in yen that comes %s",
  async (place) => {
    const pack = packCheckout(userId);
    const facts = [orderDisputed(pack, 450, { currency: "jpy" }), orderRefunded(pack, 50)];
    await apply(pack);
    for (const fact of place === "first" ? facts : facts.toReversed()) await apply(fact);
    expect(await balance()).toBe(90);
    await expectSound();
  },
);
