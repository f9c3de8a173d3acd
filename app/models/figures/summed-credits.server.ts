import { type DatabaseOrTransaction, getDb } from "~/db.server";
import type { CreditFlow } from "~/models/figures/credit-flow.server";

/** The days that are summed up, as `2026-10-01`; null before the first one is. */
export interface SummedDays {
  first: string;
  last: string;
}

export async function getSummedDays(
  db: DatabaseOrTransaction = getDb(),
): Promise<SummedDays | null> {
  const [days] = await db.$queryRaw<{ first: string | null; last: string | null }[]>`
    SELECT min(day)::text AS first, max(day)::text AS last FROM figure_days
    WHERE made_at IS NOT NULL AND sales_made_at IS NOT NULL`;
  return days?.first && days.last ? { first: days.first, last: days.last } : null;
}

/**
 * How credits came and went, by month, the latest first: the rows of `credit_days` of these days, which are all rows of the
 * ledger written on them.
 */
export function listCreditMonths(
  { first, last }: SummedDays,
  db: DatabaseOrTransaction = getDb(),
): Promise<({ month: string } & CreditFlow)[]> {
  return db.$queryRaw`
    SELECT to_char(day, 'YYYY-MM') AS month, sum(sold)::float8 AS sold,
      sum(granted)::float8 AS granted, sum(adjusted)::float8 AS adjusted, sum(spent)::float8 AS spent,
      sum(expired)::float8 AS expired, sum(returned)::float8 AS returned
    FROM credit_days
    WHERE day BETWEEN ${first}::date AND ${last}::date GROUP BY 1 ORDER BY 1 DESC`;
}

/** Credits that were there at the end of a day, of one product, by age. */
export interface AgedCredits {
  product: string;
  /** Null for free credits, and while a payment's amount isn't known. */
  currency: string | null;
  /** The month in which their lots were written, as `2026-10`. */
  month: string;
  credits: number;
  /** Minor units; null while a payment's amount isn't known. */
  worth: number | null;
}

/**
 * The outstanding credits at the end of a day: all changes of `credit_days` until then, summed by the product, currency
 * and month of the lots that they changed. Credits of a lot that is over count until their expiry is booked.
 */
export function listOutstanding(
  day: string,
  db: DatabaseOrTransaction = getDb(),
): Promise<AgedCredits[]> {
  return db.$queryRaw`
    SELECT product, currency, to_char(lot_month, 'YYYY-MM') AS month, sum(change)::float8 AS credits,
      CASE WHEN bool_and(price IS NOT NULL) THEN round(sum(change * price))::float8 END AS worth
    FROM (
      SELECT *, sold + granted + adjusted + spent + expired + returned AS change FROM credit_days
      WHERE day <= ${day}::date
    ) AS changed
    GROUP BY product, currency, lot_month, price IS NULL HAVING sum(change) <> 0
    ORDER BY currency NULLS LAST, product, lot_month`;
}
