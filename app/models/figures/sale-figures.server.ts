import { type DatabaseOrTransaction, getDb } from "~/db.server";
import type { Revenue } from "~/models/figures/revenue.server";
import type { SummedDays } from "~/models/figures/summed-credits.server";

/**
 * Revenue by month, product and currency, the latest month first, from `sale_days`: `orders` and `subscription_periods` by
 * the day on which they were paid, and `payment_returns` by the day on which the provider made them.
 */
export function listRevenueMonths(
  { first, last }: SummedDays,
  db: DatabaseOrTransaction = getDb(),
): Promise<Revenue[]> {
  return db.$queryRaw`
    SELECT to_char(day, 'YYYY-MM') AS month, product, currency, sum(paid)::float8 AS paid,
      sum(returned)::float8 AS returned
    FROM sale_days WHERE day BETWEEN ${first}::date AND ${last}::date
    GROUP BY 1, 2, 3 ORDER BY 1 DESC, currency DESC, product DESC`;
}

/** The people who signed up in one month, and when they first paid. */
export interface SignUpMonth {
  /** As `2026-10`. */
  month: string;
  signUps: number;
  /** Who has paid by the newest day that is summed up. */
  buyers: number;
  /** Who paid within 30 days. */
  soon: number;
  /** Days from sign-up to the first payment, of the buyer in the middle; null without buyers. */
  medianDays: number | null;
}

/**
 * From `sign_up_days`, which is made of `users.created_at`, and from `first_purchases`: the first payment of each account,
 * for an order or for a period that isn't a trial. Accounts that were deleted since count.
 */
export function listSignUpMonths(
  { first, last }: SummedDays,
  db: DatabaseOrTransaction = getDb(),
): Promise<SignUpMonth[]> {
  return db.$queryRaw`
    WITH signed AS (
      SELECT date_trunc('month', day::timestamp) AS month, sum(sign_ups)::int AS "signUps"
      FROM sign_up_days WHERE day BETWEEN ${first}::date AND ${last}::date GROUP BY 1
    ),
    bought AS (
      SELECT date_trunc('month', signed_up_on::timestamp) AS month, count(*)::int AS buyers,
        (count(*) FILTER (WHERE waited < 30))::int AS soon,
        percentile_cont(0.5) WITHIN GROUP (ORDER BY waited) AS "medianDays"
      FROM first_purchases WHERE signed_up_on BETWEEN ${first}::date AND ${last}::date GROUP BY 1
    )
    SELECT to_char(month, 'YYYY-MM') AS month, "signUps", coalesce(buyers, 0) AS buyers,
      coalesce(soon, 0) AS soon, "medianDays"
    FROM signed LEFT JOIN bought USING (month) ORDER BY month DESC`;
}
