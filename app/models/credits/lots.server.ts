import type { DatabaseOrTransaction } from "~/db.server";
import { Prisma } from "~/generated/prisma/client";

interface InsertedLot {
  transactionId: string;
  userId: string;
  /** Credits. */
  amount: number;
}

/**
 * The steps of a statement that adds lots to accounts that exist, to stand after `WITH`. `wanted` is a
 * query for `user_id, type, amount, source, expires_at, reference, description`, any number of users
 * and at most one row each; a source that was used before adds nothing. What was added is `lot`;
 * `account` is what was wanted for those that have an account, with whatever else `wanted` has.
 *
 * The accounts are locked by the first step, and what that reads is current even after a wait. The lot
 * comes next, so that the unique source decides, and the balance follows from what was in fact
 * inserted. No step joins two of the others: the planner knows of neither how large it is, and for
 * hundreds of lots would compare each with each.
 */
export function lotSteps(wanted: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`
    wanted AS (${wanted}),
    account AS (
      SELECT wanted.*, balance FROM credit_accounts JOIN wanted USING (user_id)
      ORDER BY user_id FOR UPDATE OF credit_accounts
    ),
    lot AS (
      INSERT INTO credit_transactions (user_id, type, amount, balance_after, source,
        remaining, expires_at, reference, description)
      SELECT user_id, type, amount, balance + amount, source,
        amount, expires_at, reference, description
      FROM account
      ON CONFLICT (source) DO NOTHING
      RETURNING id, user_id, amount, balance_after, expires_at
    ),
    credited AS (
      UPDATE credit_accounts account SET balance = lot.balance_after,
        next_expiry_at = least(account.next_expiry_at, lot.expires_at)
      FROM lot WHERE account.user_id = lot.user_id
    )`;
}

/** Adds the lots of `lotSteps` and answers those that were added. */
export function insertLots(wanted: Prisma.Sql, db: DatabaseOrTransaction): Promise<InsertedLot[]> {
  return db.$queryRaw`
    WITH ${lotSteps(wanted)}
    SELECT id::text AS "transactionId", user_id AS "userId", amount FROM lot`;
}
