import type pg from "pg";
import { withClient } from "../../lib/with-client";

interface Seeds {
  /** Number of subscriptions. Each has its own user, with an account and one bought pack. */
  subscriptions: number;
  /** Number of them that are due, spread among the others. */
  due: number;
}

/**
 * Fills an empty, migrated database with active subscriptions. Due ones have their boundary within the
 * last day, a little apart from each other; the others within the next month. Needs a superuser.
 */
export function seedSubscriptions(databaseUrl: string, seeds: Seeds): Promise<void> {
  return withClient(databaseUrl, (client) => seed(client, seeds));
}

async function seed(client: pg.Client, { subscriptions, due }: Seeds): Promise<void> {
  // All references are to rows made here; checking them row by row would take half the time.
  await client.query("SET session_replication_role = replica");
  await client.query("SELECT setseed(0.5)");
  await client.query(
    `INSERT INTO users (email) SELECT 'bench-' || n || '@example.com' FROM generate_series(1, $1::int) n`,
    [subscriptions],
  );
  await client.query(
    `INSERT INTO subscriptions (id, user_id, provider, provider_customer_id,
       provider_subscription_id, plan_key, period, status, current_period_start, current_period_end,
       paid_until, grant_anchor_at, next_grant_at, grant_period_id)
     SELECT id, id, 'stripe', 'cus_' || md5(email), 'sub_' || md5(email), plan_key, 'year', 'active',
       boundary, boundary + interval '1 year', boundary + interval '1 year', boundary, boundary, id
     FROM (
       SELECT id, email, CASE WHEN random() < 0.8 THEN 'starter' ELSE 'pro' END AS plan_key,
         date_trunc('second', CASE WHEN row_number() OVER (ORDER BY random()) <= $1::int
           THEN now() - random() * interval '1 day'
           ELSE now() + interval '1 day' + random() * interval '29 days' END) AS boundary
       FROM users
     ) AS person`,
    [due],
  );
  await client.query(
    `INSERT INTO subscription_periods (id, subscription_id, provider, provider_payment_id, starts_at,
       ends_at, plan_key, period, amount, currency)
     SELECT id, id, provider, 'in_' || provider_subscription_id, grant_anchor_at, paid_until, plan_key,
       period, 9000, 'usd'
     FROM subscriptions`,
  );
  await client.query(`INSERT INTO credit_accounts (user_id, balance) SELECT id, 500 FROM users`);
  await client.query(
    `INSERT INTO credit_transactions (user_id, type, amount, balance_after, source, remaining)
     SELECT id, 'grant', 500, 500, 'order:stripe:cs_' || md5(email), 500 FROM users`,
  );
  // Like autovacuum on a database in use.
  await client.query("VACUUM ANALYZE");
}
