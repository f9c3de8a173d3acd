import type { DatabaseOrTransaction } from "~/db.server";
import type { LedgerFault } from "~/models/credits/rule-set";

/** A stored number that contradicts the movements, as text: credits, or a time. */
export interface Correction {
  field: "remaining" | "balance" | "next_expiry_at" | "balance_after";
  /** The lot or row; null for the account. */
  transactionId: bigint | null;
  before: string | null;
  after: string | null;
  /** The most that the number can be; null if there is no limit. */
  most: number | null;
}

/**
 * The numbers of an existing account that differ from what its movements say. The movements are the
 * rows' amounts and their allocations, which nothing can change. Reads only.
 */
export function listCorrections(userId: string, db: DatabaseOrTransaction): Promise<Correction[]> {
  return db.$queryRaw<Correction[]>`
    WITH entry AS (
      SELECT id, amount, balance_after, remaining, expires_at,
        sum(amount) OVER (ORDER BY id) AS running,
        CASE WHEN remaining IS NOT NULL THEN amount + (
          SELECT coalesce(sum(allocation.amount), 0) FROM credit_allocations allocation
          WHERE lot_id = entry.id
        ) END AS left_in_lot
      FROM credit_transactions entry WHERE user_id = ${userId}::uuid
    ),
    account AS (
      SELECT balance, next_expiry_at,
        (SELECT coalesce(sum(amount), 0) FROM entry) AS amounts,
        (SELECT min(expires_at) FROM entry WHERE left_in_lot > 0) AS expires_at
      FROM credit_accounts WHERE user_id = ${userId}::uuid
    )
    SELECT 'remaining' AS field, id AS "transactionId", remaining::text AS before,
      left_in_lot::text AS after, amount AS most
    FROM entry WHERE remaining <> left_in_lot

    UNION ALL
    SELECT 'balance', NULL, balance::text, amounts::text, NULL FROM account WHERE balance <> amounts

    UNION ALL
    SELECT 'next_expiry_at', NULL, next_expiry_at::text, expires_at::text, NULL
    FROM account WHERE next_expiry_at IS DISTINCT FROM expires_at

    UNION ALL
    SELECT 'balance_after', id, balance_after::text, running::text, NULL FROM entry
    WHERE balance_after <> running AND NOT EXISTS (
      SELECT 1 FROM credit_repairs repair
      WHERE repair.transaction_id = entry.id AND field = 'balance_after'
        AND repair.after = running::text
    )
    ORDER BY field DESC, "transactionId"`;
}

/**
 * Rows after which the chain of `balance_after` no longer follows the amounts, if the stored balance agrees
 * with the chain's end. Two numbers written independently of the amounts then say the same, so that an
 * amount was altered or rows were lost: the movements are at fault, not the balance. Reads only.
 */
export function listConfirmedJumps(
  userId: string,
  db: DatabaseOrTransaction,
): Promise<LedgerFault[]> {
  return db.$queryRaw<LedgerFault[]>`
    WITH entry AS (
      SELECT id, amount, balance_after,
        coalesce(lag(balance_after) OVER (ORDER BY id), 0) AS before,
        sum(amount) OVER (ORDER BY id) - balance_after AS missing,
        coalesce(lag(balance_after) OVER (ORDER BY id), 0) + amount <> balance_after AS jumps
      FROM credit_transactions WHERE user_id = ${userId}::uuid
    ),
    last AS (SELECT balance_after, missing FROM entry ORDER BY id DESC LIMIT 1)
    SELECT 'balance-after' AS rule, ${userId}::text AS "userId", id::text AS "transactionId", format(
      'amount %s, balance %s before it and %s after it, as the account says: its amount was altered, or rows before it are lost',
      amount, before, entry.balance_after
    ) AS detail
    FROM entry, last JOIN credit_accounts ON user_id = ${userId}::uuid
    WHERE jumps AND last.missing <> 0 AND balance = last.balance_after
    ORDER BY id`;
}
