import type { DatabaseOrTransaction } from "~/db.server";
import type { Prisma } from "~/generated/prisma/client";

interface InsertedLot {
  transactionId: string;
  userId: string;
  /** Credits. */
  amount: number;
}

/**
 * Adds lots to accounts that exist. `wanted` is a query for `user_id, type, amount, source,
 * expires_at, reference, description`, any number of users and at most one row each; a source that
 * was used before adds nothing and is not in the answer.
 *
 * The accounts are locked by the statement's first step, and what that reads is current even after a
 * wait. The lot comes next, so that the unique source decides, and the balance follows from what was
 * in fact inserted.
 */
export function insertLots(wanted: Prisma.Sql, db: DatabaseOrTransaction): Promise<InsertedLot[]> {
  return db.$queryRaw`
    WITH wanted AS (${wanted}),
    account AS (
      SELECT user_id, balance FROM credit_accounts
      WHERE user_id IN (SELECT user_id FROM wanted)
      ORDER BY user_id FOR UPDATE OF credit_accounts
    ),
    lot AS (
      INSERT INTO credit_transactions (user_id, type, amount, balance_after, source,
        remaining, expires_at, reference, description)
      SELECT user_id, type, amount, balance + amount, source,
        amount, expires_at, reference, description
      FROM wanted JOIN account USING (user_id)
      ON CONFLICT (source) DO NOTHING
      RETURNING id, user_id, amount, balance_after, expires_at
    ),
    credited AS (
      UPDATE credit_accounts account SET balance = lot.balance_after,
        next_expiry_at = least(account.next_expiry_at, lot.expires_at)
      FROM lot WHERE account.user_id = lot.user_id
    )
    SELECT id::text AS "transactionId", user_id AS "userId", amount FROM lot`;
}
