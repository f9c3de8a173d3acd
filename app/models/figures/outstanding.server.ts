import type { DatabaseOrTransaction } from "~/db.server";
import { FREE, SALE_OF_LOT } from "~/models/figures/lot-sales.server";

/** Credits of one product that were there and not used. */
export interface Outstanding {
  /** A pack, a plan with its interval, or `free`. */
  product: string;
  credits: number;
  /** Of free credits, and of those whose payment nobody has told the amount of, null. */
  currency: string | null;
  /** Minor units; null while the amount of a payment isn't known. */
  worth: number | null;
}

/**
 * Sums the credits that all lots held at this moment, by product, and what they are worth: of each lot the rest × its
 * price, from `credit_transactions` (the lots written before) and `credit_allocations` (of rows written before). Credits
 * of a lot that was over count until their expiry is booked.
 */
export function sumOutstanding(at: Date, db: DatabaseOrTransaction): Promise<Outstanding[]> {
  return db.$queryRaw`
    WITH moved AS (
      SELECT lot_id, sum(allocation.amount) AS credits
      FROM credit_allocations allocation JOIN credit_transactions entry ON entry.id = transaction_id
      WHERE entry.created_at < ${at}::timestamptz GROUP BY lot_id
    ),
    held AS (
      SELECT lot.id, lot.amount + coalesce(moved.credits, 0) AS credits
      FROM credit_transactions lot LEFT JOIN moved ON lot_id = lot.id
      WHERE lot.remaining IS NOT NULL AND lot.created_at < ${at}::timestamptz
    )
    SELECT coalesce(product, ${FREE}) AS product, sum(held.credits)::float8 AS credits,
      CASE WHEN is_paid AND price IS NOT NULL THEN sale.currency END AS currency,
      CASE WHEN bool_and(product IS NULL OR price IS NOT NULL)
        THEN round(sum(held.credits * coalesce(price, 0)))::float8 END AS worth
    FROM held JOIN credit_transactions lot USING (id) ${SALE_OF_LOT}
    WHERE held.credits <> 0 GROUP BY 1, 3, product IS NULL OR price IS NOT NULL
    ORDER BY currency NULLS LAST, 1`;
}
