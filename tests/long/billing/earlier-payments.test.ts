import { expect, test } from "vitest";
import type { PlanKey } from "~/catalog";
import { runDueGrants } from "~/models/billing/periods/grant-run.server";
import { getBalance } from "~/models/credits/balance.server";
import { spendCredits } from "~/models/credits/spends.server";
import { auditLedger } from "~/models/upkeep/audit.server";
import type { InvoicePaid } from "~/services/payments/billing-event";
import { HAS_TWO_PLANS, PLAN, TOP_PLAN } from "../../fixtures/sold";
import {
  applyCreemEvents,
  applyEvents,
  newSubscription,
  setUpBillingEnv,
} from "../../helpers/billing";
import { createUser, DAY, inFuture, openLedger, passTime } from "../../helpers/credits";
import { passPeriods } from "../../helpers/subscriptions";
import { permutations } from "../../helpers/with-payment-server";

setUpBillingEnv();
const ledger = openLedger();
const START = inFuture(-10 * DAY);
const END = inFuture(355 * DAY);

async function createWorld() {
  const userId = await createUser(ledger.db);
  const subscription = newSubscription(userId);
  const after = (days: number) => new Date(START.getTime() + days * DAY);
  return {
    userId,
    subscription,
    balance: () => getBalance(userId, ledger.db),
    /** An invoice at Stripe, paid so many days after the period's start. */
    paid: (name: string, days: number, more: Partial<InvoicePaid> = {}): InvoicePaid =>
      subscription.paid(START, END, {
        paidAt: after(days),
        invoiceId: `in_${name}_${userId}`,
        payments: [{ id: `pi_${name}_${userId}`, amount: null }],
        ...more,
      }),
    /** Creem's events of a year that is paid so many days after the period's start. */
    paidAtCreem(plan: PlanKey, days: number, more: Partial<InvoicePaid> = {}) {
      const [paidAt, priceId] = [after(days), `prod_${plan}_year`];
      const invoiceId = `tran_${plan}_${userId}`;
      return [
        subscription.changed(START, END, { startedAt: START, occurredAt: paidAt, priceId }),
        subscription.paid(START, END, { paidAt, priceId, invoiceId, ...more }),
      ] as const;
    },
  };
}

/** Lets a month and an hour pass; then runs the daily job. */
async function passMonth(userId: string): Promise<void> {
  const hours = 31 * 24 + 1;
  await passTime(ledger.db, userId, hours * 60 * 60 * 1000);
  await passPeriods(ledger.db, userId, hours);
  await run();
}

const run = () => runDueGrants({}, ledger.db);
const expectSound = async () => expect((await auditLedger({}, ledger.db)).faults).toBe(0);

/** The periods' payments with their kind and what they give of the month, the earlier first. */
const periodsOf = async (userId: string) =>
  (
    await ledger.db.subscriptionPeriod.findMany({
      where: { subscription: { userId } },
      orderBy: { paidAt: "asc" },
      select: { providerPaymentId: true, kind: true, grantedCredits: true, creditsReversed: true },
    })
  ).map(({ providerPaymentId, kind, grantedCredits, creditsReversed }) => [
    providerPaymentId,
    kind,
    (grantedCredits ?? 0) - creditsReversed,
  ]);

test.runIf(HAS_TWO_PLANS)(
  "Creem: an upgrade told before the payment that it upgrades is an upgrade all the same",
  async () => {
    const { userId, paidAtCreem, balance } = await createWorld();
    await applyCreemEvents(ledger.db, ...paidAtCreem(TOP_PLAN.planKey, 2));
    expect(await balance()).toBe(1200);
    await applyCreemEvents(ledger.db, ...paidAtCreem(PLAN.planKey, 0));
    await run();
    expect(await balance()).toBe(1200);
    expect(await periodsOf(userId)).toEqual([
      [`tran_starter_${userId}`, "paid", 300],
      [`tran_pro_${userId}`, "upgrade", 900],
    ]);
    await expectSound();
  },
);

test.runIf(HAS_TWO_PLANS)(
  "Creem: what went back of an upgrade told first takes the upgrade's credits only",
  async () => {
    const { userId, subscription, paidAtCreem, balance } = await createWorld();
    const paid = (plan: PlanKey, days: number) =>
      paidAtCreem(plan, days, { payments: [{ id: `ord_${plan}_${userId}`, amount: null }] });
    const upgrade = paid(TOP_PLAN.planKey, 2);
    await applyCreemEvents(ledger.db, ...upgrade);
    const names = { paymentId: `tran_pro_${userId}`, orderId: `ord_pro_${userId}` };
    await applyCreemEvents(ledger.db, subscription.refunded(upgrade[1], 450, names));
    expect(await balance()).toBe(600);
    await applyCreemEvents(ledger.db, ...paid(PLAN.planKey, 0));
    await run();
    expect(await balance()).toBe(750);
    await expectSound();
  },
);

test("a period's second payment told before the first gives what it would have given after it", async () => {
  const { userId, subscription, paid, balance } = await createWorld();
  const again = paid("again", 5);
  const changed = subscription.changed(START, END, { startedAt: START });
  await applyEvents(ledger.db, changed, again);
  await applyEvents(ledger.db, subscription.refunded(again, 450));
  expect(await balance()).toBe(150);
  await applyEvents(ledger.db, paid("first", 0));
  await run();
  expect(await balance()).toBe(300);
  expect(await periodsOf(userId)).toEqual([
    [`in_first_${userId}`, "paid", 300],
    [`in_again_${userId}`, "paid", 0],
  ]);
  await expectSound();
});

test.runIf(HAS_TWO_PLANS)(
  "an upgrade's difference counts from what was given, though half of it is away and comes back",
  async () => {
    const { userId, subscription, paid, balance } = await createWorld();
    // The dearer plan is heard of first, and most of its month is spent.
    const priceId = `price_${TOP_PLAN.planKey}_year`;
    const changed = subscription.changed(START, END, { startedAt: START, priceId });
    await applyEvents(ledger.db, changed);
    await spendCredits({ userId, amount: 1000, source: `test:${userId}` }, ledger.db);
    const base = paid("base", 0, { priceId: `price_${PLAN.planKey}_year` });
    await applyEvents(ledger.db, base);
    const refund = { returnId: `re_${userId}`, amount: 450 };
    await applyEvents(ledger.db, subscription.refunded(base, 450, refund));
    const periodStart = new Date(START.getTime() + 2 * DAY);
    await applyEvents(
      ledger.db,
      paid(TOP_PLAN.planKey, 2, { covers: "upgrade", priceId, periodStart }),
    );
    await run();
    expect(await balance()).toBe(200);
    await applyEvents(ledger.db, subscription.refunded(base, 450, { ...refund, state: "failed" }));
    expect(await balance()).toBe(200);
    await expectSound();
  },
);

test.runIf(HAS_TWO_PLANS)(
  "Creem: a smaller plan's payment after a dearer one's, both told before the first, is no upgrade",
  async () => {
    const { userId, paidAtCreem, balance } = await createWorld();
    const tellPaid = (name: string, plan: PlanKey, days: number) => {
      const invoiceId = `tran_${name}_${userId}`;
      return applyCreemEvents(ledger.db, ...paidAtCreem(plan, days, { invoiceId }));
    };
    await tellPaid("upgrade", TOP_PLAN.planKey, 2);
    await tellPaid("again", PLAN.planKey, 5);
    await tellPaid("first", PLAN.planKey, 0);
    await run();
    expect(await balance()).toBe(1200);
    expect(await periodsOf(userId)).toEqual([
      [`tran_first_${userId}`, "paid", 300],
      [`tran_upgrade_${userId}`, "upgrade", 900],
      [`tran_again_${userId}`, "paid", 0],
    ]);
    await expectSound();
  },
);

test("a return of a period's second payment, told first, keeps the first payment from nothing", async () => {
  const { userId, subscription, paid, balance } = await createWorld();
  const again = paid("again", 5);
  const intentId = `pi_again_${userId}`;
  await applyEvents(ledger.db, subscription.changed(START, END, { startedAt: START }));
  // Its period is guessed by the customer.
  await applyEvents(ledger.db, subscription.refunded(again, 90));
  await applyEvents(ledger.db, {
    ...{ kind: "invoice_linked", invoiceId: `in_again_${userId}`, intentId, amount: null },
  });
  await applyEvents(ledger.db, paid("first", 0));
  await applyEvents(ledger.db, again);
  await run();
  expect(await balance()).toBe(300);
  expect(await periodsOf(userId)).toEqual([
    [`in_first_${userId}`, "paid", 300],
    [`in_again_${userId}`, "paid", 0],
  ]);
  await expectSound();
});

test.runIf(HAS_TWO_PLANS)(
  "a return of an upgrade, told before both invoices, leaves no month without a payment",
  async () => {
    const { userId, subscription, balance } = await createWorld();
    const priceId = `price_${TOP_PLAN.planKey}_year`;
    const upgrade = subscription.paid(new Date(START.getTime() + 2 * DAY), END, {
      ...{ covers: "upgrade", priceId, invoiceId: `in_pro_${userId}` },
      payments: [{ id: `pi_pro_${userId}`, amount: null }],
    });
    const [link] = upgrade.payments;
    await applyEvents(ledger.db, subscription.changed(START, END, { startedAt: START }));
    // Its period is guessed by the customer.
    await applyEvents(ledger.db, subscription.refunded(upgrade, 450));
    await applyEvents(ledger.db, {
      ...{ kind: "invoice_linked", invoiceId: `in_pro_${userId}`, intentId: link?.id ?? "" },
      amount: null,
    });
    await applyEvents(ledger.db, subscription.paid(START, END));
    await run();
    expect(await balance()).toBe(300);
    await applyEvents(ledger.db, upgrade);
    await run();
    expect(await balance()).toBe(750);
    await expectSound();
  },
);

test.runIf(HAS_TWO_PLANS).each([
  ["two days later", 2 * DAY, (upgradedAt: Date) => upgradedAt],
  ["in its first minutes, and prorated from its start", 300_000, () => START],
])(
  "in every order of a subscription's events that is upgraded %s, each month gives the large plan's credits once",
  async (_, after, startOf) => {
    const [smaller, priceId] = [`price_${PLAN.planKey}_year`, `price_${TOP_PLAN.planKey}_year`];
    for (const order of permutations([0, 1, 2, 3])) {
      const { userId, subscription, balance } = await createWorld();
      const paidAt = new Date(START.getTime() + after);
      const events = [
        subscription.changed(START, END, { startedAt: START, priceId: smaller }),
        subscription.changed(START, END, { startedAt: START, priceId, occurredAt: paidAt }),
        subscription.paid(START, END, { priceId: smaller, amount: 9000 }),
        subscription.paid(startOf(paidAt), END, {
          ...{ covers: "upgrade", priceId, amount: 19_900, paidAt },
        }),
      ];
      for (const at of order) await applyEvents(ledger.db, ...events.slice(at, at + 1));
      await run();
      expect([order, await balance()]).toEqual([order, 1200]);
      expect(await periodsOf(userId)).toHaveLength(2);
      await passMonth(userId);
      expect([order, await balance()]).toEqual([order, 1200]);
    }
    await expectSound();
  },
);
