import { Prisma } from "~/generated/prisma/client";
import { ownersOf, PAYMENTS } from "~/models/figures/payments.server";
import { dayOf } from "~/models/figures/summary.server";

/** SQL: the days on which credits of these sales moved, and those before: a run may begin before its deduction's midnight. */
export const daysOfCredits = (changed: Prisma.Sql) => Prisma.sql`
  SELECT DISTINCT (moved.at AT TIME ZONE 'UTC')::date - before AS day
  FROM credit_transactions lot CROSS JOIN LATERAL (
    SELECT lot.created_at UNION ALL
    SELECT entry.created_at FROM credit_allocations
      JOIN credit_transactions entry ON entry.id = transaction_id WHERE lot_id = lot.id
  ) AS moved (at) CROSS JOIN (VALUES (0), (1)) AS earlier (before)
  WHERE lot.remaining IS NOT NULL AND lot.reference IN (SELECT sale_id::text FROM ${changed})`;

/**
 * SQL: the days on which these sales, or their returns, count and counted; and those of their owners' first payments, as
 * they are stored and as they are now: a sale that is told late may be the first.
 */
export function daysOfSales(changed: Prisma.Sql): Prisma.Sql {
  const sales = Prisma.sql`SELECT sale_id FROM ${changed}`;
  const owners = ownersOf(sales);
  return Prisma.sql`
    SELECT old_day FROM ${changed} WHERE old_day IS NOT NULL
    UNION
    SELECT ${dayOf(Prisma.sql`at`)} FROM ${PAYMENTS} AS payment WHERE sale_id IN (${sales})
    UNION
    SELECT ${dayOf(Prisma.sql`coalesce(provider_at, heard_at)`)} FROM payment_returns
    WHERE order_id IN (${sales}) OR period_id IN (${sales})
    UNION
    SELECT day FROM first_purchases WHERE account_id IN (${owners})
    UNION
    SELECT ${dayOf(Prisma.sql`min(at)`)} FROM ${PAYMENTS} AS payment
    WHERE user_id IN (${owners}) GROUP BY user_id`;
}
