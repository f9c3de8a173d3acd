import type { DatabaseOrTransaction } from "~/db.server";
import type { LedgerFault } from "~/models/credits/rule-set";
import { IS_TOMBSTONE } from "~/models/tombstones.server";

/**
 * Compares orders with the ledger: a paid order has one lot, of its credits and its user, that never
 * ends; no other row is an order's lot; and what returns took less what was given back is the order's
 * `credits_reversed`, disputes won before version 1.0 included.
 *
 * A deleted account's order may have no lot: it may have been paid after the deletion, and when that was
 * isn't kept.
 */
export function listOrderFaults(
  userIds: string[],
  db: DatabaseOrTransaction,
): Promise<LedgerFault[]> {
  return db.$queryRaw`
    WITH sold AS MATERIALIZED (
      SELECT sale.id, user_id, 'order:' || provider || ':' || provider_checkout_id AS source, credits,
        credits_reversed, status <> 'pending' AS is_paid, EXISTS (
          SELECT 1 FROM users WHERE users.id = user_id
            AND ${IS_TOMBSTONE}
        ) AS is_orphan
      FROM orders sale WHERE user_id = ANY (${userIds}::uuid[])
    ),
    entry AS MATERIALIZED (
      SELECT id, user_id, type, source, amount, reference FROM credit_transactions
      WHERE user_id = ANY (${userIds}::uuid[])
        AND (type IN ('grant', 'reversal') OR (type = 'adjustment' AND reference IS NOT NULL))
    ),
    compared AS (
      SELECT sold.user_id, lot.id AS lot_id, sold.id, credits, CASE
        WHEN lot.id IS NULL THEN CASE WHEN is_paid AND NOT is_orphan THEN 'has no lot' END
        WHEN NOT is_paid THEN 'isn''t paid and has a lot'
        WHEN lot.user_id <> sold.user_id THEN format('has a lot of user %s', lot.user_id)
        WHEN lot.amount <> credits OR lot.remaining IS NULL THEN format('has a lot of %s', lot.amount)
        WHEN lot.reference IS DISTINCT FROM sold.id::text
          THEN format('has a lot whose reference is %s', coalesce(lot.reference, 'missing'))
        WHEN lot.expires_at IS NOT NULL THEN format('has a lot that ends at %s', lot.expires_at)
      END AS problem
      FROM sold LEFT JOIN credit_transactions lot ON lot.source = sold.source
    ),
    fault AS (
      SELECT 'order-lot' AS rule, user_id, lot_id,
        format('order %s of %s credits %s', id, credits, problem) AS detail
      FROM compared WHERE problem IS NOT NULL

      UNION ALL
      SELECT 'order-lot', user_id, entry.id,
        format('source %s, and the user has no such order', source)
      FROM entry WHERE source LIKE 'order:%' AND NOT EXISTS (
        SELECT 1 FROM sold WHERE sold.source = entry.source AND sold.user_id = entry.user_id
      )

      UNION ALL
      SELECT 'order-lot', entry.user_id, entry.id,
        format('names order %s, whose lot''s source is %s, not %s', sold.id, sold.source, entry.source)
      FROM entry JOIN sold ON entry.reference = sold.id::text
      WHERE type = 'grant' AND entry.source <> sold.source

      UNION ALL
      SELECT 'order-reversed', sold.user_id, NULL, format(
        'order %s says that %s credits were taken back, its rows say %s',
        sold.id, credits_reversed, coalesce(reversed, 0)
      )
      FROM sold LEFT JOIN (
        SELECT user_id, reference, -sum(amount) AS reversed FROM entry
        WHERE type <> 'grant' GROUP BY user_id, reference
      ) moved ON moved.reference = sold.id::text AND moved.user_id = sold.user_id
      WHERE credits_reversed <> coalesce(reversed, 0)
    )
    SELECT rule, user_id AS "userId", lot_id::text AS "transactionId", detail
    FROM fault ORDER BY user_id, lot_id NULLS FIRST, detail`;
}
