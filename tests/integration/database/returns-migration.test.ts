import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { connectDb } from "~/db.server";
import { lockOrder, settleOrder } from "~/models/billing/returns/settle-order.server";
import { settleSubscription } from "~/models/billing/returns/settle-subscription.server";
import { setUpBillingEnv } from "../../helpers/billing";
import { openSession } from "../../helpers/migrations";
import { createEmptyDatabase } from "../../helpers/test-database";

setUpBillingEnv();
const FOLDER = "prisma/migrations";
const NAME = "0015_payment_returns.sql";
const [USER, SUBSCRIPTION] = [
  "00000000-0000-4000-8000-000000000001",
  "00000000-0000-4000-8000-000000000002",
];

/** Rows that versions before 0015 leave of three packs and a month: 100 of 500 back, 100 and then 300 in all, a dispute alone, and half of a month. */
const BEFORE = `
  INSERT INTO users (id, email, locale) VALUES ('${USER}', 'a@example.com', 'en');
  INSERT INTO orders (user_id, provider, provider_checkout_id, provider_payment_id, sku_key, credits,
    amount, currency, amount_refunded, amount_disputed, credits_reversed, credits_short, status, paid_at)
  VALUES
    ('${USER}', 'stripe', 'cs_1', 'pi_1', 'credits_small', 100, 500, 'usd', 100, 50, 30, 0, 'disputed', now()),
    ('${USER}', 'creem', 'ch_1', 'ord_1', 'credits_small', 100, 500, 'usd', 100, 300, 40, 20, 'disputed', now()),
    ('${USER}', 'stripe', 'cs_2', 'pi_2', 'credits_small', 100, 500, 'usd', 0, 0, 0, 0, 'paid', now());
  INSERT INTO subscriptions (id, user_id, provider, provider_subscription_id, plan_key, period, status)
  VALUES ('${SUBSCRIPTION}', '${USER}', 'stripe', 'sub_1', 'starter', 'month', 'active');
  INSERT INTO subscription_periods (id, subscription_id, provider, provider_payment_id, starts_at, ends_at,
    plan_key, period, amount, currency, amount_refunded, amount_returned, anchor_offset, granted_for, granted_credits)
  VALUES ('${SUBSCRIPTION}', '${SUBSCRIPTION}', 'stripe', 'in_1', now() - interval '5 days',
    now() + interval '25 days', 'starter', 'month', 900, 'usd', 450, 450, 0, 30 * 86400000::bigint, 300);
  INSERT INTO invoice_payments (provider, provider_intent_id, provider_payment_id) VALUES ('stripe', 'pi_3', 'in_1');
  INSERT INTO payment_returns (provider, kind, provider_payment_id, dispute_id, amount, currency)
  VALUES ('stripe', 'disputed', 'pi_unknown', 'dp_1', 700, 'usd');

  INSERT INTO credit_accounts (user_id, balance, next_expiry_at) VALUES ('${USER}', 170, NULL);
  INSERT INTO credit_transactions (id, user_id, type, amount, balance_after, source, remaining, expires_at, reference)
  OVERRIDING SYSTEM VALUE
  SELECT row.id, '${USER}', type::credit_transaction_type, row.amount, after, source, remaining,
    CASE WHEN row.id = 7 THEN now() + interval '25 days' END,
    coalesce(orders.id::text, CASE WHEN row.id >= 7 THEN '${SUBSCRIPTION}' END)
  FROM (VALUES
    (1, 'grant', 100, 100, 'order:stripe:cs_1', 70, 'cs_1'), (2, 'reversal', -30, 70, 'reversal:stripe:cs_1:150', NULL, 'cs_1'),
    (3, 'grant', 100, 170, 'order:creem:ch_1', 0, 'ch_1'), (4, 'deduction', -60, 110, 'test:1', NULL, NULL),
    (5, 'reversal', -40, 70, 'reversal:creem:ch_1:300', NULL, 'ch_1'), (6, 'grant', 100, 170, 'order:stripe:cs_2', 100, 'cs_2'),
    (7, 'grant', 300, 470, 'subscription:stripe:sub_1:1', 0, NULL), (8, 'deduction', -250, 220, 'test:2', NULL, NULL),
    (9, 'reversal', -50, 170, 'reversal:stripe:in_1:450', NULL, NULL)
  ) AS row (id, type, amount, after, source, remaining, checkout)
    LEFT JOIN orders ON provider_checkout_id = checkout;
  INSERT INTO credit_allocations (transaction_id, lot_id, amount)
  VALUES (2, 1, -30), (4, 3, -60), (5, 3, -40), (8, 7, -250), (9, 7, -50);`;

test("totals become one unnamed row per payment and kind, and no balance moves", async () => {
  const databaseUrl = await createEmptyDatabase();
  const session = await openSession(databaseUrl);
  const files = readdirSync(FOLDER).filter((file) => file.endsWith(".sql"));
  const run = (file: string) => session.query(readFileSync(`${FOLDER}/${file}`, "utf8"));
  for (const file of files.filter((name) => name < NAME)) await run(file);
  await session.query(BEFORE);
  await run(NAME);

  const { rows } = await session.query(`
    SELECT kind, provider_payment_id, state, amount::int, order_id IS NOT NULL AS of_order, period_id IS NOT NULL AS of_period
    FROM payment_returns WHERE provider_return_id IS NULL ORDER BY provider_payment_id, kind`);
  expect(rows.map((row) => Object.values(row))).toEqual([
    ["dispute", "ord_1", "open", 300, true, false],
    ["refund", "ord_1", "succeeded", 100, true, false],
    ["dispute", "pi_1", "open", 50, true, false],
    ["refund", "pi_1", "succeeded", 100, true, false],
    ["refund", "pi_3", "succeeded", 450, false, true],
    ["dispute", "pi_unknown", "open", 700, false, false],
  ]);
  const month = await session.query(
    "SELECT credits_reversed, credits_short FROM subscription_periods",
  );
  // Half of 300 was wanted, and 50 of it were there.
  expect(month.rows).toEqual([{ credits_reversed: 50, credits_short: 100 }]);

  // The present settlement reads it.
  await session.query("ALTER TABLE subscriptions ADD COLUMN end_asked_at timestamptz");
  const db = connectDb(databaseUrl);
  const owed = {
    providerCheckoutId: true,
    creditsReversed: true,
    creditsShort: true,
    status: true,
  };
  const listOrders = () =>
    db.order.findMany({ orderBy: { providerCheckoutId: "asc" }, select: { id: true, ...owed } });
  const orders = await listOrders();
  await db.$transaction(async (transaction) => {
    for (const { id } of orders) await settleOrder(await lockOrder(id, transaction), transaction);
    await settleSubscription(SUBSCRIPTION, transaction);
  });
  expect(await listOrders()).toEqual(orders);
  expect(await db.creditAccount.findUnique({ where: { userId: USER } })).toMatchObject({
    balance: 170,
  });
  expect(await session.query("SELECT credits_short FROM subscription_periods")).toMatchObject({
    rows: [{ credits_short: 100 }],
  });
  await db.$disconnect();
});
