import { type DatabaseOrTransaction, getDb } from "~/db.server";

/** The people who signed up in one month, and when they first paid. */
export interface SignUpMonth {
  /** As `2026-10`. */
  month: string;
  signUps: number;
  /** Who has paid by now. */
  buyers: number;
  /** Who paid within 30 days. */
  soon: number;
  /** Days from sign-up to the first payment, of the buyer in the middle; null without buyers. */
  medianDays: number | null;
}

/**
 * From `users.created_at`, and the first payment of each: an order by its `paid_at`, or a period that isn't a trial and has
 * an amount. Accounts that were deleted since count.
 */
export function listSignUpMonths(
  { from, to }: { from: Date; to: Date },
  db: DatabaseOrTransaction = getDb(),
): Promise<SignUpMonth[]> {
  return db.$queryRaw`
    WITH payment AS (
      SELECT user_id, paid_at AS at FROM orders WHERE paid_at IS NOT NULL
      UNION ALL
      SELECT user_id, coalesce(paid.paid_at, paid.created_at)
      FROM subscription_periods paid JOIN subscriptions ON subscriptions.id = subscription_id
      WHERE kind <> 'trial' AND amount IS NOT NULL
    ),
    bought AS (SELECT user_id AS id, min(at) AS at FROM payment GROUP BY user_id)
    SELECT to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM') AS month, count(*)::int AS "signUps",
      count(bought.at)::int AS buyers,
      (count(*) FILTER (WHERE bought.at < created_at + interval '30 days'))::int AS soon,
      percentile_cont(0.5) WITHIN GROUP (
        ORDER BY greatest(0, extract(epoch FROM bought.at - created_at)::float8 / 86400)
      ) FILTER (WHERE bought.at IS NOT NULL) AS "medianDays"
    FROM users LEFT JOIN bought USING (id)
    WHERE created_at >= ${from}::timestamptz AND created_at < ${to}::timestamptz
    GROUP BY 1 ORDER BY 1 DESC`;
}
