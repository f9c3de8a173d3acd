import type { Transaction } from "~/db.server";
import type { Settlement } from "~/models/billing/returns/month-settlement.server";

/** Credits to be given back that came from lots with one end. */
interface TakenPart {
  amount: number;
  expiresAt: Date;
  /** Set if they came from a lot that a refund had revived. */
  revivedAt: Date | null;
}

/**
 * Splits what a settlement gives back by the ends of the lots it was taken from. Revived lots are taken from last, so
 * they get theirs back first; the rest came from lots of the month.
 */
export async function listTaken(
  { userId, settlement }: { userId: string; settlement: Settlement },
  transaction: Transaction,
): Promise<TakenPart[]> {
  const { due, expiresAt } = settlement;
  const parts: TakenPart[] = [];
  let left = -due;
  for (const { amount, ...end } of await listRevived({ userId, settlement }, transaction)) {
    const part = { ...end, amount: Math.min(amount, left) };
    if (part.amount > 0) parts.push(part);
    left -= part.amount;
  }
  return left > 0 ? [...parts, { amount: left, expiresAt, revivedAt: null }] : parts;
}

/**
 * What returns of this payment took from revived lots since its month was granted, less what they gave back, the
 * latest end first. A lot is revived once, and what is given back of it never, so its end stays.
 */
function listRevived(
  {
    userId,
    settlement: { period, expiresAt },
  }: { userId: string; settlement: Settlement },
  transaction: Transaction,
): Promise<TakenPart[]> {
  return transaction.$queryRaw`
    WITH moved AS (
      SELECT entry.id, type, amount, expires_at, revived_at FROM credit_transactions entry
      WHERE user_id = ${userId}::uuid AND reference = ${period.id}
        AND source NOT LIKE '%:surplus%' AND id > (
        SELECT min(month.id) FROM credit_transactions month
          JOIN subscription_periods paid ON paid.id::text = month.reference
        WHERE month.user_id = ${userId}::uuid AND paid.subscription_id = ${period.subscriptionId}::uuid AND month.type = 'grant'
          AND date_trunc('milliseconds', month.expires_at) = ${expiresAt}::timestamptz
      )
    ),
    part AS (
      SELECT -allocation.amount AS amount, lot.expires_at, lot.revived_at
      FROM moved JOIN credit_allocations allocation ON transaction_id = moved.id
        JOIN credit_transactions lot ON lot.id = lot_id
      WHERE moved.type = 'reversal' AND lot.revived_at IS NOT NULL
      UNION ALL
      SELECT -amount, expires_at, revived_at FROM moved
      WHERE type = 'adjustment' AND revived_at IS NOT NULL
    )
    SELECT sum(amount)::int AS amount, date_trunc('milliseconds', expires_at) AS "expiresAt",
      max(revived_at) AS "revivedAt"
    FROM part GROUP BY date_trunc('milliseconds', expires_at) HAVING sum(amount) > 0
    ORDER BY 2 DESC`;
}
