import type { Transaction } from "~/db.server";
import type { Settlement } from "~/models/billing/returns/month-settlement.server";

/** Credits that returns took from lots with one end. */
interface TakenPart {
  amount: number;
  expiresAt: Date;
  /** Set if it was a lot that a refund had revived. */
  revivedAt: Date | null;
}

/**
 * Splits what a settlement gives back by the ends of the lots it was taken from. What was taken last comes back first, so
 * that a dispute which is opened and won leaves every credit its end.
 */
export async function listTaken(
  { userId, settlement }: { userId: string; settlement: Settlement },
  transaction: Transaction,
): Promise<TakenPart[]> {
  const { due, expiresAt } = settlement;
  const taken: TakenPart[] = [];
  for (const moved of await listMoved({ userId, settlement }, transaction))
    if (moved.amount > 0) taken.push(moved);
    else takeLast(taken, -moved.amount);
  const parts = takeLast(taken, -due);
  // The rest was withheld when the month was granted.
  const left = -due - parts.reduce((total, { amount }) => total + amount, 0);
  return joinByEnd([...parts, { amount: left, expiresAt, revivedAt: null }]);
}

/** Removes so many credits from the end of the list, as far as they are there. */
function takeLast(taken: TakenPart[], amount: number): TakenPart[] {
  const last = taken.at(-1);
  if (!last || amount <= 0) return [];
  const part = { ...last, amount: Math.min(last.amount, amount) };
  if (part.amount === last.amount) taken.pop();
  else last.amount -= part.amount;
  return [part, ...takeLast(taken, amount - part.amount)];
}

function joinByEnd(parts: readonly TakenPart[]): TakenPart[] {
  const joined = new Map<number, TakenPart>();
  for (const part of parts) {
    const key = part.expiresAt.getTime();
    const amount = (joined.get(key)?.amount ?? 0) + part.amount;
    if (amount > 0) joined.set(key, { ...part, amount });
  }
  return [...joined.values()];
}

/**
 * Lists the credits that returns of this payment took since its month was granted, by lot, and those that they gave
 * back, as negative amounts, in their order. Credits given back of a revived lot are never revived, so their end stays.
 */
function listMoved(
  { userId, settlement: { period, expiresAt } }: { userId: string; settlement: Settlement },
  transaction: Transaction,
): Promise<TakenPart[]> {
  return transaction.$queryRaw`
    WITH month AS (
      SELECT min(lot.id) AS first_id FROM credit_transactions lot
        JOIN subscription_periods paid ON paid.id::text = reference
      WHERE user_id = ${userId}::uuid AND subscription_id = ${period.subscriptionId}::uuid
        AND type = 'grant'
        AND date_trunc('milliseconds', expires_at) = ${expiresAt}::timestamptz
    ),
    moved AS (
      SELECT entry.* FROM credit_transactions entry, month
      WHERE user_id = ${userId}::uuid AND reference = ${period.id} AND id > first_id
        AND type IN ('reversal', 'adjustment') AND source NOT LIKE '%:surplus%'
    )
    SELECT coalesce(-allocation.amount, -moved.amount) AS amount,
      date_trunc('milliseconds', coalesce(lot.expires_at, moved.expires_at)) AS "expiresAt",
      coalesce(lot.revived_at, moved.revived_at) AS "revivedAt"
    FROM moved
      LEFT JOIN credit_allocations allocation
        ON moved.type = 'reversal' AND transaction_id = moved.id
      LEFT JOIN credit_transactions lot ON lot.id = lot_id
    ORDER BY moved.id, lot.revived_at IS NOT NULL, lot.id`;
}
