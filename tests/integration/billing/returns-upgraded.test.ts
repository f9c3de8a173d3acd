import { beforeEach, expect, test } from "vitest";
import { runDueGrants } from "~/models/billing/periods/grant-run.server";
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
const run = async () => (await runDueGrants({}, ledger.db)).grants;
const paidBy = (name: string) => ({ payments: [{ id: `pi_${name}_${userId}`, amount: null }] });
const expectSound = async () => expect((await auditLedger({}, ledger.db)).faults).toBe(0);

/** A year of the small plan for 90.00. */
async function payYear(): Promise<InvoicePaid> {
  const priceId = `price_${PLAN.planKey}_year`;
  const invoice = subscription.paid(START, YEAR_END, { priceId, amount: 9000, ...paidBy("year") });
  await apply(subscription.changed(START, YEAR_END, { priceId }), invoice);
  expect(await balance()).toBe(300);
  return invoice;
}

/** An upgrade of it to the large plan for 199.00, whose difference was granted. */
async function upgrade(name = "larger"): Promise<InvoicePaid> {
  const invoice = subscription.paid(inFuture(0), YEAR_END, {
    ...{
      covers: "upgrade",
      priceId: `price_${TOP_PLAN.planKey}_year`,
      amount: 19_900,
      ...paidBy(name),
    },
  });
  await apply(invoice);
  await run();
  return invoice;
}

/** Lets a month and an hour pass; then runs the daily job. */
async function passMonth(): Promise<number> {
  await passTime(ledger.db, userId, (31 * 24 + 1) * 60 * 60 * 1000);
  await passPeriods(ledger.db, userId, 31 * 24 + 1);
  return run();
}

test.runIf(HAS_TWO_PLANS).each([
  ["all of the first payment", { first: 9000 }, 900],
  ["half of the first payment", { first: 4500 }, 1050],
  ["half of the second payment", { second: 9950 }, 750],
  ["all of the second payment", { second: 19_900 }, 300],
  ["half of both payments", { first: 4500, second: 9950 }, 600],
])(
  "an upgraded year of which %s went back is worth the rest, this month and the next",
  async (_what, back, worth) => {
    const [first, second] = [await payYear(), await upgrade()];
    expect(await balance()).toBe(1200);
    const { first: ofFirst, second: ofSecond } = { first: 0, second: 0, ...back };
    if (ofFirst > 0) await apply(subscription.refunded(first, ofFirst));
    if (ofSecond > 0) await apply(subscription.refunded(second, ofSecond));
    expect(await balance()).toBe(worth);
    await passMonth();
    expect(await balance()).toBe(worth);
    await expectSound();
  },
);

test.runIf(HAS_TWO_PLANS)(
  "in a later month one lot holds both parts, and each payment's return takes its own",
  async () => {
    const [first, second] = [await payYear(), await upgrade()];
    expect(await passMonth()).toBe(1);
    await apply(subscription.refunded(first, 4500));
    expect(await balance()).toBe(1050);
    await apply(subscription.refunded(second, 9950));
    expect(await balance()).toBe(600);
    await apply(subscription.refunded(first, 9000));
    expect(await balance()).toBe(450);
    await expectSound();
  },
);

/** Rest and debt after 1,000 of 1,200 credits in one lot were spent, the upgrade refunded, and the year disputed and won. */
async function liveWith(order: "refund first" | "dispute first") {
  const year = await payYear();
  const pro = await upgrade();
  await passMonth();
  expect(await balance()).toBe(1200);
  await spendCredits({ userId, amount: 1000, source: `test:${userId}` }, ledger.db);
  const dispute = subscription.disputed(year);
  const facts = [subscription.refunded(pro, 19_900), dispute];
  for (const fact of order === "refund first" ? facts : facts.toReversed()) await apply(fact);
  await apply({ ...dispute, state: "won" });
  const { _sum } = await ledger.db.subscriptionPeriod.aggregate({
    where: { subscription: { userId } },
    _sum: { creditsShort: true },
  });
  await expectSound();
  return { left: await balance(), owed: _sum.creditsShort };
}

test.runIf(HAS_TWO_PLANS).each(["refund first", "dispute first"] as const)(
  "what one payment of a lot gets back pays what the other one owes of it (%s)",
  async (order) => {
    expect(await liveWith(order)).toEqual({ left: 0, owed: 700 });
  },
);

test.runIf(HAS_TWO_PLANS)(
  "a payment's return takes from what another one of its lot was given back",
  async () => {
    const year = await payYear();
    const pro = await upgrade();
    await passMonth();
    const dispute = subscription.disputed(pro);
    await apply(dispute);
    await spendCredits({ userId, amount: 300, source: `test:${userId}` }, ledger.db);
    await apply({ ...dispute, state: "won" });
    expect(await balance()).toBe(900);
    await apply(subscription.refunded(year, 9000));
    expect(await balance()).toBe(600);
    await expectSound();
  },
);

test.runIf(HAS_TWO_PLANS)(
  "an upgrade disputed in its second month, and won, gives one month of the large plan",
  async () => {
    await payYear();
    const second = await upgrade();
    expect(await passMonth()).toBe(1);
    expect(await balance()).toBe(1200);
    const dispute = subscription.disputed(second);
    await apply(dispute);
    await run();
    expect(await balance()).toBe(300);
    await apply({ ...dispute, state: "won" });
    await run();
    expect(await balance()).toBe(1200);
    await expectSound();
  },
);

test.runIf(HAS_TWO_PLANS)(
  "an upgrade refunded in full and bought again in the same month gives its difference again",
  async () => {
    await payYear();
    const first = await upgrade();
    await apply(subscription.refunded(first, 19_900));
    expect(await balance()).toBe(300);
    await upgrade("again");
    expect(await balance()).toBe(1200);
    await expectSound();
  },
);

test.each([
  ["in full", 9000, 0],
  ["by half", 4500, 150],
])(
  "a period refunded %s and charged again for the same time gives its month again",
  async (_how, back, left) => {
    const first = await payYear();
    await apply(subscription.refunded(first, back));
    expect(await balance()).toBe(left);
    const again = subscription.paid(START, YEAR_END, {
      ...{
        priceId: `price_${PLAN.planKey}_year`,
        amount: 9000,
        paidAt: inFuture(0),
        ...paidBy("again"),
      },
    });
    await apply(again);
    await run();
    expect(await balance()).toBe(300);
    expect(await passMonth()).toBe(1);
    expect(await balance()).toBe(300);
    await expectSound();
  },
);

test("if the first payment's dispute is won after that, its credits aren't given twice", async () => {
  const first = await payYear();
  const dispute = subscription.disputed(first);
  await apply(dispute);
  const again = subscription.paid(START, YEAR_END, {
    ...{
      priceId: `price_${PLAN.planKey}_year`,
      amount: 9000,
      paidAt: inFuture(0),
      ...paidBy("again"),
    },
  });
  await apply(again);
  await run();
  expect(await balance()).toBe(300);
  await apply({ ...dispute, state: "won" });
  const held = await balance();
  await apply(dispute, { ...dispute, state: "won" });
  expect(await balance()).toBe(held);
  expect(await passMonth()).toBe(1);
  expect(await balance()).toBe(300);
  await expectSound();
});

test("creem: the payment after a refunded first one, which had no id, doesn't adopt the closed period", async () => {
  const [end, priceId] = [inFuture(28 * DAY), `prod_${PLAN.planKey}_month`];
  const applyTo = (...events: BillingEvent[]) => applyCreemEvents(ledger.db, ...events);
  await applyTo(subscription.changed(START, end, { priceId, startedAt: START }));
  expect(await balance()).toBe(300);
  const first = subscription.paid(START, end, { priceId });
  const { providerSubscriptionId } = subscription;
  const names = { paymentId: `tran_first_${userId}`, orderId: `ord_first_${userId}` };
  await applyTo(subscription.refunded(first, 900, { ...names, providerSubscriptionId }));
  expect(await balance()).toBe(0);
  const [paidAt, invoiceId] = [inFuture(0), `tran_second_${userId}`];
  await applyTo(subscription.paid(START, end, { priceId, paidAt, invoiceId }));
  await run();
  expect(await balance()).toBe(300);
  await expectSound();
});
