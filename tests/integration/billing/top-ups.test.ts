import { afterEach, expect, test } from "vitest";
import { startPackCheckout } from "~/models/billing/checkouts/checkouts.server";
import { compareTopUp } from "~/models/billing/reconciliation/compare-top-ups.server";
import { reconcile } from "~/models/billing/reconciliation/run-reconciliation.server";
import { getBalance } from "~/models/credits/balance.server";
import { auditLedger } from "~/models/upkeep/audit.server";
import type { TopUpPaid } from "~/services/payments/billing-event";
import { openBillingRecords } from "~/services/payments/open-billing-records.server";
import { PACK, written } from "../../fixtures/sold";
import { applyEvents, setUpBillingEnv } from "../../helpers/billing";
import { createLot, openLedger } from "../../helpers/credits";
import { silenceLog } from "../../helpers/silence-log";
import {
  COST,
  createOwner,
  doJobs,
  moneyOf,
  openTopUpShop,
  settleLater,
  spend,
  statusesOf,
  TOP_UP_ENV,
  takeBack,
} from "../../helpers/top-ups";

setUpBillingEnv(TOP_UP_ENV);
silenceLog();
const ledger = openLedger();

afterEach(async () => {
  const { faults } = await auditLedger({}, ledger.db);
  expect(faults).toBe(0);
});

const open = () => openTopUpShop(ledger.db);

test("a spend below the mark charges the kept card once, and the webhook alone brings the credits", async () => {
  const shop = await open();
  const { db } = ledger;
  const { accountId, customerId } = await createOwner(shop, { runs: 4, mark: 4, packs: 2 });
  const before = (await shop.sent()).length;
  await spend(db, accountId);
  await doJobs(db, accountId, shop.cards);
  await doJobs(db, accountId, shop.cards, { again: true });
  expect(await moneyOf(shop, customerId)).toEqual({ charges: 1, taken: PACK.amount, returned: 0 });
  expect(await getBalance(accountId, db)).toBe(3 * COST);
  expect(await statusesOf(ledger.db, accountId)).toEqual(["asked"]);
  const events = (await shop.sent()).slice(before);
  await shop.deliver(...events, ...events.toReversed());
  expect(await getBalance(accountId, db)).toBe(3 * COST + PACK.credits);
  expect(await statusesOf(ledger.db, accountId)).toEqual(["paid"]);
  const topUp = await db.topUp.findFirstOrThrow({ where: { accountId } });
  expect(await db.order.findMany({ where: { userId: accountId } })).toMatchObject([
    {
      providerCheckoutId: `topup:${topUp.id}`,
      providerPaymentId: topUp.providerPaymentId,
      amount: BigInt(PACK.amount),
      status: "paid",
    },
  ]);
  await shop.control("POST", `/payments/${topUp.providerPaymentId}/refund`, {});
  await shop.deliver(...(await shop.sent()).slice(before + events.length));
  expect(await getBalance(accountId, db)).toBe(3 * COST);
});

test("of 100 spends at once across the mark, in two processes' jobs, one charges the card", async () => {
  const shop = await open();
  const { db } = ledger;
  const { accountId, customerId } = await createOwner(shop, { runs: 120, mark: 70, packs: 5 });
  await Promise.all(Array.from({ length: 100 }, () => spend(db, accountId)));
  const jobs = (again: boolean) => doJobs(db, accountId, shop.cards, { again });
  await Promise.all([jobs(false), jobs(false)]);
  await Promise.all([jobs(true), jobs(true)]);
  expect(await moneyOf(shop, customerId)).toMatchObject({ charges: 1 });
  await shop.deliver(...(await shop.sent()));
  expect(await getBalance(accountId, db)).toBe(20 * COST + PACK.credits);
});

test.each(["before", "after"])(
  "a call whose answer is lost %s the card was charged is one charge",
  async (lost) => {
    const shop = await open();
    const { db } = ledger;
    const { accountId, customerId } = await createOwner(shop, { runs: 2, mark: 2, packs: 5 });
    await spend(db, accountId);
    await shop.control("PUT", "/charges/answers", { lost });
    await doJobs(db, accountId, shop.cards);
    expect(await statusesOf(ledger.db, accountId)).toEqual(["unknown"]);
    expect((await moneyOf(shop, customerId)).charges).toBe(lost === "after" ? 1 : 0);
    await shop.control("PUT", "/charges/answers", {});
    await settleLater(shop, accountId);
    // It is charged, and waits for its event however often it is looked at.
    expect(await settleLater(shop, accountId)).toBe(0);
    expect(await statusesOf(ledger.db, accountId)).toEqual(["asked"]);
    expect(await moneyOf(shop, customerId)).toMatchObject({ charges: 1 });
  },
);

test("an unknown outcome is asked for again within 20 hours, and after that only looked up", async () => {
  const shop = await open();
  const { db } = ledger;
  const { accountId, customerId } = await createOwner(shop, { runs: 2, mark: 2, packs: 5 });
  await spend(db, accountId);
  await shop.control("PUT", "/charges/answers", { lost: "before" });
  await doJobs(db, accountId, shop.cards);
  await shop.control("PUT", "/charges/answers", {});
  expect(await settleLater(shop, accountId, 20 * 60 + 1)).toBeGreaterThan(0);
  expect(await statusesOf(ledger.db, accountId)).toEqual(["canceled: never_charged"]);
  expect(await moneyOf(shop, customerId)).toMatchObject({ charges: 0 });
});

test("an unknown outcome that is no longer wanted is looked up, and charged no more", async () => {
  const shop = await open();
  const { db } = ledger;
  const { accountId, customerId } = await createOwner(shop, { runs: 2, mark: 2, packs: 5 });
  await spend(db, accountId);
  await shop.control("PUT", "/charges/answers", { lost: "before" });
  await doJobs(db, accountId, shop.cards);
  await shop.control("PUT", "/charges/answers", {});
  await createLot(db, accountId, 5 * COST);
  await settleLater(shop, accountId);
  expect(await statusesOf(ledger.db, accountId)).toEqual(["unknown"]);
  await settleLater(shop, accountId, 16);
  expect(await statusesOf(ledger.db, accountId)).toEqual(["canceled: never_charged"]);
  expect(await moneyOf(shop, customerId)).toMatchObject({ charges: 0 });
});

test("the month's maximum holds, and refunds of top-ups don't raise it", async () => {
  const shop = await open();
  const { db } = ledger;
  const { accountId, customerId } = await createOwner(shop, { runs: 2, mark: 2, packs: 1 });
  await spend(db, accountId);
  await doJobs(db, accountId, shop.cards);
  await shop.deliver(...(await shop.sent()));
  const topUp = await db.topUp.findFirstOrThrow({ where: { accountId } });
  await shop.control("POST", `/payments/${topUp.providerPaymentId}/refund`, {});
  await shop.deliver(...(await shop.sent()));
  await createLot(db, accountId, COST);
  await spend(db, accountId);
  await doJobs(db, accountId, shop.cards);
  expect(await statusesOf(ledger.db, accountId)).toEqual(["paid", "canceled: monthly_amount"]);
  expect(await moneyOf(shop, customerId)).toMatchObject({ charges: 1, returned: PACK.amount });
});

test("a pack bought by hand meanwhile, and a checkout that is open, are charged for once", async () => {
  const shop = await open();
  const { db } = ledger;
  const first = await createOwner(shop, { runs: 2, mark: 2, packs: 5 });
  await spend(db, first.accountId);
  await createLot(db, first.accountId, 5 * COST);
  await doJobs(db, first.accountId, shop.cards);
  expect(await statusesOf(ledger.db, first.accountId)).toEqual([]);
  const second = await createOwner(shop, { runs: 2, mark: 2, packs: 5 });
  const buyer = { userId: second.accountId, email: "owner@example.com", locale: "en" };
  await startPackCheckout({ ...buyer, idempotencyKey: null, skuKey: PACK.skuKey }, shop.stripe, db);
  await spend(db, second.accountId);
  await doJobs(db, second.accountId, shop.cards);
  expect(await statusesOf(ledger.db, second.accountId)).toEqual(["canceled: checkout_open"]);
  expect(await moneyOf(shop, second.customerId)).toMatchObject({ charges: 0 });
});

test("a refunded run that crosses again charges nothing more", async () => {
  const shop = await open();
  const { db } = ledger;
  const { accountId, customerId } = await createOwner(shop, { runs: 3, mark: 3, packs: 5 });
  const runId = await spend(db, accountId);
  await doJobs(db, accountId, shop.cards);
  await takeBack(db, runId);
  await spend(db, accountId);
  await doJobs(db, accountId, shop.cards);
  expect(await moneyOf(shop, customerId)).toMatchObject({ charges: 1 });
});

test("reconcile finds a payment whose event never came, and records it once", async () => {
  const shop = await open();
  const { db } = ledger;
  const { accountId } = await createOwner(shop, { runs: 2, mark: 2, packs: 5 });
  await spend(db, accountId);
  await doJobs(db, accountId, shop.cards);
  const records = openBillingRecords("stripe", shop.env.payments);
  if (!records) throw new Error("Stripe has no key");
  const { prices } = shop.env.payments.stripe;
  const since = new Date(Date.now() - 60 * 60_000);
  const reconcileThem = async (apply: boolean) => {
    const found: string[] = [];
    await reconcile(
      {
        db,
        records,
        prices,
        since,
        userId: accountId,
        site: "localhost:3000",
        startedAt: new Date(),
      },
      {
        ...{ apply, checkouts: [], onProgress: () => undefined },
        onOutcome: ({ says, applied }) => void found.push(`${applied}: ${says}`),
      },
    );
    return found;
  };
  const says = `${PACK.credits} credits for ${written(PACK.amount)}: paid there, no order here`;
  expect(await reconcileThem(false)).toEqual([`false: ${says}`]);
  expect(await statusesOf(ledger.db, accountId)).toEqual(["asked"]);
  expect(await reconcileThem(true)).toEqual([`true: ${says}`]);
  expect(await reconcileThem(true)).toEqual([]);
  await shop.deliver(...(await shop.sent()));
  expect(await statusesOf(ledger.db, accountId)).toEqual(["paid"]);
  expect(await getBalance(accountId, db)).toBe(COST + PACK.credits);
});

test("a second payment of one attempt brings nothing, and reconcile leaves it to the operator", async () => {
  const shop = await open();
  const { db } = ledger;
  const { accountId, customerId } = await createOwner(shop, { runs: 2, mark: 2, packs: 5 });
  await spend(db, accountId);
  await doJobs(db, accountId, shop.cards);
  await shop.deliver(...(await shop.sent()));
  const {
    id: topUpId,
    skuKey,
    currency,
  } = await db.topUp.findFirstOrThrow({
    where: { accountId },
  });
  const second: TopUpPaid = {
    ...{ kind: "top_up_paid", topUpId, paymentId: `pi_${topUpId}`, customerId, currency },
    amount: PACK.amount,
    metadata: { userId: accountId, site: null, skuKey, planKey: null, period: null },
  };
  await applyEvents(db, second);
  expect(await getBalance(accountId, db)).toBe(COST + PACK.credits);
  const records = openBillingRecords("stripe", shop.env.payments);
  if (!records) throw new Error("Stripe has no key");
  const [order] = await db.order.findMany({ where: { userId: accountId } });
  const paidBy = (paymentId: string) =>
    compareTopUp(
      { ...second, paymentId },
      {
        ...{ db, records, prices: shop.env.payments.stripe.prices, userId: accountId },
        ...{ site: "localhost:3000", since: new Date(), startedAt: new Date() },
      },
    );
  expect(await paidBy(order?.providerPaymentId ?? "")).toEqual([]);
  expect(await paidBy(second.paymentId)).toMatchObject([
    { says: expect.stringContaining(`by ${order?.providerPaymentId} before`), repair: null },
  ]);
});
