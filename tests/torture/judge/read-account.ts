import { z } from "zod";
import type { TortureDatabase } from "../world/database";

// The rows of one account, by SQL of the judge's own.

const whole = z.coerce.number().int();
const row = z.object({
  id: z.string(),
  type: z.enum(["grant", "deduction", "refund", "reversal", "expiry", "adjustment"]),
  amount: whole,
  balanceAfter: whole,
  source: z.string(),
  reference: z.string().nullable(),
  remaining: whole.nullable(),
  expiresAt: z.date().nullable(),
  at: z.date(),
  /** Lot and credits, as the row moved them. */
  moved: z.array(z.object({ lot: z.string(), amount: whole })),
});
export type LedgerRow = z.output<typeof row>;

const run = z.object({
  id: z.string(),
  key: z.string().nullable(),
  status: z.enum(["reserved", "settled", "refunded"]),
  reserved: whole,
  charged: whole,
  units: whole,
  keyId: z.string().nullable(),
  at: z.date(),
});
export type StoredRun = z.output<typeof run>;

const order = z.object({ id: z.string(), checkout: z.string(), short: whole });
const subscription = z.object({
  id: z.string(),
  status: z.string(),
  plan: z.string(),
  period: z.string(),
  cancels: z.boolean(),
  endsAt: z.date().nullable(),
});
const key = z.object({ id: z.string(), name: z.string() });
const month = z.object({ credits: whole, counted: whole });
const state = z.object({ balance: whole, unsent: whole });

export type StoredAccount = Awaited<ReturnType<typeof readAccount>>;

/** Reads it in one snapshot, since jobs may still move it. */
export async function readAccount({ sql }: TortureDatabase, userId: string) {
  const [rows, runs, orders, subscriptions, keys, months, states] = await Promise.all([
    sql(
      `SELECT id::text, type::text, amount, balance_after AS "balanceAfter", source, reference, remaining,
         expires_at AS "expiresAt", created_at AS at,
         coalesce((SELECT jsonb_agg(jsonb_build_object('lot', lot_id::text, 'amount', allocation.amount) ORDER BY lot_id)
           FROM credit_allocations allocation WHERE transaction_id = row.id), '[]') AS moved
       FROM credit_transactions row WHERE user_id = $1 ORDER BY row.id`,
      [userId],
    ),
    sql(
      `SELECT id, idempotency_key AS key, status::text, credits_reserved AS reserved,
         credits_charged AS charged, units_used AS units,
         api_key_id AS "keyId", created_at AS at
       FROM metered_runs WHERE account_id = $1`,
      [userId],
    ),
    sql(
      `SELECT id::text, provider_checkout_id AS checkout, credits_short AS short
       FROM orders WHERE user_id = $1`,
      [userId],
    ),
    sql(
      `SELECT provider_subscription_id AS id, status::text, plan_key AS plan, period::text,
         cancel_at_period_end AS cancels, current_period_end AS "endsAt"
       FROM subscriptions WHERE user_id = $1`,
      [userId],
    ),
    sql("SELECT id, name FROM api_keys WHERE account_id = $1", [userId]),
    sql(
      `SELECT counted.credits AS counted, coalesce((SELECT sum(credits_charged) FROM metered_runs
         WHERE account_id = $1 AND date_trunc('month', created_at AT TIME ZONE 'UTC')::date = counted.month), 0) AS credits
       FROM usage_months counted WHERE account_id = $1 AND api_key_id IS NULL`,
      [userId],
    ),
    sql(
      `SELECT coalesce((SELECT balance FROM credit_accounts WHERE user_id = $1), 0) AS balance,
         (SELECT count(*) FROM outbox_emails WHERE user_id = $1 AND sent_at IS NULL AND next_attempt_at <= now()) AS unsent`,
      [userId],
    ),
  ]);
  return {
    rows: z.array(row).parse(rows),
    runs: z.array(run).parse(runs),
    orders: z.array(order).parse(orders),
    keys: z.array(key).parse(keys),
    subscriptions: z.array(subscription).parse(subscriptions),
    months: z.array(month).parse(months),
    ...state.parse(states[0]),
  };
}
