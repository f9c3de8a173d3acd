import type { DatabaseOrTransaction } from "~/db.server";
import { Prisma } from "~/generated/prisma/client";

interface InsertedLot {
  transactionId: string;
  userId: string;
  /** Credits. */
  amount: number;
}

/**
 * The steps of a statement that adds lots to existing accounts, to be placed after `WITH`. `wanted` is
 * a query for `user_id, type, amount, source, expires_at, revived_at, reference, description`, for any
 * number of users and at most one row each. A source that was used before adds nothing. The step `lot` holds the
 * rows added. The step `account` holds the wanted rows whose user has an account, with any further
 * columns of `wanted`.
 *
 * The first step locks the accounts and reads current values even after a wait. The lots come next, so
 * that the unique source decides. The balance is computed from the lots that were actually inserted. No
 * step joins two of the others: the planner does not know their sizes and would compare hundreds of
 * lots with each other.
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
        remaining, expires_at, revived_at, reference, description)
      SELECT user_id, type, amount, balance + amount, source,
        amount, expires_at, revived_at, reference, description
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

/** Adds the lots of `lotSteps` and returns those that were added. */
export function insertLots(wanted: Prisma.Sql, db: DatabaseOrTransaction): Promise<InsertedLot[]> {
  return db.$queryRaw`
    WITH ${lotSteps(wanted)}
    SELECT id::text AS "transactionId", user_id AS "userId", amount FROM lot`;
}
