import { readdirSync, readFileSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { CURRENCY } from "~/catalog";
import { connectDb, type Database } from "~/db.server";
import { getBalance } from "~/models/credits/balance.server";
import { PACK, PLAN } from "../../fixtures/sold";
import {
  applyCreemEvents,
  applyEvents,
  newSubscription,
  paymentReturned,
  setUpBillingEnv,
} from "../../helpers/billing";
import { DAY, inFuture } from "../../helpers/credits";
import { openSession } from "../../helpers/migrations";
import { silenceLog } from "../../helpers/silence-log";
import { createEmptyDatabase } from "../../helpers/test-database";

// The totals that the migration 0015 makes, once the provider's refunds and disputes are told by
// their ids.
setUpBillingEnv();
silenceLog();
const FOLDER = "prisma/migrations";
const NAME = "0015_payment_returns.sql";
const USER = "00000000-0000-4000-8000-000000000001";
const ID = "00000000-0000-4000-8000-000000000002";

/** A database from before that migration with these rows, migrated to today. */
async function migrate(before: string): Promise<Database> {
  const databaseUrl = await createEmptyDatabase();
  const session = await openSession(databaseUrl);
  const run = (file: string) => session.query(readFileSync(`${FOLDER}/${file}`, "utf8"));
  const files = readdirSync(FOLDER).filter((file) => file.endsWith(".sql"));
  files.sort();
  for (const file of files.filter((name) => name < NAME)) await run(file);
  await session.query(`INSERT INTO users (id, email, locale) VALUES ('${USER}', 'a@b.test', 'en')`);
  await session.query(before);
  await session.query("SELECT setval(pg_get_serial_sequence('credit_transactions', 'id'), 100)");
  for (const file of files.filter((name) => name >= NAME)) await run(file);
  const db = connectDb(databaseUrl);
  onTestFinished(() => db.$disconnect());
  return db;
}

/** A month of 300 credits, of which `taken` were taken back, without a link from its invoice to its payment. */
const month = (figures: { refunded?: number; disputed?: number; taken: number }) => `
  INSERT INTO subscriptions (id, user_id, provider, provider_subscription_id, provider_customer_id, plan_key,
    period, status)
  VALUES ('${ID}', '${USER}', 'stripe', 'sub_1', 'cus_1', '${PLAN.planKey}', 'month', 'active');
  INSERT INTO subscription_periods (id, subscription_id, provider, provider_payment_id, starts_at, ends_at,
    plan_key, period, amount, currency, amount_refunded, amount_disputed, amount_returned, closed_at,
    anchor_offset, granted_for, granted_credits)
  VALUES ('${ID}', '${ID}', 'stripe', 'in_1', now() - interval '5 days', now() + interval '25 days', '${PLAN.planKey}',
    'month', 900, '${CURRENCY}', ${figures.refunded ?? 0}, ${figures.disputed ?? 0},
    ${(figures.refunded ?? 0) + (figures.disputed ?? 0)}, ${figures.disputed ? "now()" : "NULL"},
    0, 30 * 86400000::bigint, 300);
  INSERT INTO credit_accounts (user_id, balance, next_expiry_at)
  VALUES ('${USER}', 300 - ${figures.taken}, CASE WHEN ${figures.taken} < 300 THEN now() + interval '25 days' END);
  INSERT INTO credit_transactions (id, user_id, type, amount, balance_after, source, remaining, expires_at, reference)
  OVERRIDING SYSTEM VALUE VALUES
    (1, '${USER}', 'grant', 300, 300, 'subscription:stripe:sub_1:1', 300 - ${figures.taken}, now() + interval '25 days', '${ID}'),
    (2, '${USER}', 'reversal', -${figures.taken}, 300 - ${figures.taken}, 'reversal:stripe:in_1:1', NULL, NULL, '${ID}');
  INSERT INTO credit_allocations (transaction_id, lot_id, amount) VALUES (2, 1, -${figures.taken});`;

/** The payment as `billing reconcile` reads it from Stripe, with its charge. */
const payment = {
  paymentId: "pi_1",
  customerId: "cus_1",
  paidAt: inFuture(-5 * DAY + 60_000),
  chargedAmount: 900,
};

test("a half refunded before the upgrade is half after reconcile names the refund", async () => {
  const db = await migrate(month({ refunded: 450, taken: 150 }));
  expect(await getBalance(USER, db)).toBe(150);
  const refund = { ...payment, returnId: "re_1", amount: 450 };
  await applyEvents(db, paymentReturned(refund));
  const { closedAt } = await db.subscriptionPeriod.findFirstOrThrow();
  expect({ balance: await getBalance(USER, db), isOpen: closedAt === null }).toEqual({
    ...{ balance: 150, isOpen: true },
  });
});

test("a half refunded of an invoice of two payments stays half, by whichever of their refunds it is told", async () => {
  const db = await migrate(`${month({ refunded: 450, taken: 150 })}
    INSERT INTO invoice_payments (provider, provider_intent_id, provider_payment_id)
    VALUES ('stripe', 'pi_1', 'in_1'), ('stripe', 'pi_2', 'in_1');`);
  const refundOf = (paymentId: string, amount: number) =>
    paymentReturned({ paymentId, returnId: `re_${paymentId}`, amount, chargedAmount: 450 });
  await applyEvents(db, refundOf("pi_1", 300));
  expect(await getBalance(USER, db)).toBe(150);
  await applyEvents(db, refundOf("pi_2", 150));
  expect(await getBalance(USER, db)).toBe(150);
  // One of it fails after all.
  await applyEvents(db, { ...refundOf("pi_2", 150), state: "failed" });
  expect(await getBalance(USER, db)).toBe(200);
});

test("a dispute from before the upgrade that is won gives the month back", async () => {
  const db = await migrate(month({ disputed: 900, taken: 300 }));
  const dispute = { ...payment, of: "dispute", returnId: "dp_1", amount: 900 } as const;
  await applyEvents(db, paymentReturned({ ...dispute, state: "won" }));
  expect(await getBalance(USER, db)).toBe(300);
});

test("creem: a pack's disputed half from before the upgrade isn't counted again by the next refund's figure", async () => {
  const db = await migrate(`
    INSERT INTO orders (id, user_id, provider, provider_checkout_id, provider_payment_id, sku_key, credits, amount,
      currency, amount_disputed, credits_reversed, status, paid_at)
    VALUES ('${ID}', '${USER}', 'creem', 'ch_1', 'ord_1', '${PACK.skuKey}', 100, 500, '${CURRENCY}', 250, 50, 'disputed', now());
    INSERT INTO credit_accounts (user_id, balance) VALUES ('${USER}', 50);
    INSERT INTO credit_transactions (id, user_id, type, amount, balance_after, source, remaining, reference)
    OVERRIDING SYSTEM VALUE VALUES
      (1, '${USER}', 'grant', 100, 100, 'order:creem:ch_1', 50, '${ID}'),
      (2, '${USER}', 'reversal', -50, 50, 'reversal:creem:ch_1:250', NULL, '${ID}');
    INSERT INTO credit_allocations (transaction_id, lot_id, amount) VALUES (2, 1, -50);`);
  const names = { paymentId: "tran_1", orderId: "ord_1", chargedAmount: 500 };
  // `refund.created` of 1.00: the refund, and the sum so far, the dispute's 2.50 included.
  await applyCreemEvents(
    db,
    paymentReturned({ ...names, returnId: "ref_1", amount: 100 }),
    paymentReturned({ ...names, amount: 350 }),
  );
  expect(await getBalance(USER, db)).toBe(30);
  expect(await db.order.findFirst()).toMatchObject({ status: "disputed", amountDisputed: 250n });
});

test("creem: a closed period whose amount was never told stops no renewal", async () => {
  const db = await migrate(`
    INSERT INTO subscriptions (id, user_id, provider, provider_subscription_id, plan_key, period, status)
    VALUES ('${ID}', '${USER}', 'creem', 'sub_1', '${PLAN.planKey}', 'month', 'active');
    INSERT INTO subscription_periods (id, subscription_id, provider, provider_payment_id, starts_at, ends_at, plan_key,
      period, amount_disputed, amount_returned, closed_at)
    VALUES ('${ID}', '${ID}', 'creem', 'tran_1', now() - interval '31 days', now() - interval '1 day', '${PLAN.planKey}', 'month',
      900, 900, now() - interval '20 days');`);
  const subscription = { ...newSubscription(USER), providerSubscriptionId: "sub_1" };
  const renewal = subscription.paid(inFuture(-DAY), inFuture(29 * DAY), {
    ...{
      priceId: `prod_${PLAN.planKey}_month`,
      invoiceId: "tran_2",
      providerSubscriptionId: "sub_1",
    },
  });
  await applyCreemEvents(db, renewal);
  const periods = await db.subscriptionPeriod.findMany({ orderBy: { startsAt: "asc" } });
  expect(periods.map(({ closedAt }) => closedAt === null)).toEqual([false, true]);
});
