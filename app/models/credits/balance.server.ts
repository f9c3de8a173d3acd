import { type DatabaseOrTransaction, getDb, queryPrepared } from "~/db.server";
import { Prisma } from "~/generated/prisma/client";

/** SQL: the credits that this user (an SQL expression) can spend now. */
export function spendableCredits(userId: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`(
    SELECT coalesce(sum(remaining), 0)::int FROM credit_transactions
    WHERE user_id = ${userId} AND remaining > 0
      AND (expires_at > statement_timestamp()) IS NOT FALSE)`;
}

/**
 * The credits the user can spend now. The account's own balance still counts a lot that is over until
 * its expiry is booked; such lots are left out here.
 */
export async function getBalance(
  userId: string,
  db: DatabaseOrTransaction = getDb(),
): Promise<number> {
  const statement = Prisma.sql`SELECT ${spendableCredits(Prisma.sql`${userId}::uuid`)} AS balance`;
  const [row] = await queryPrepared<{ balance: number }>("get_balance", statement, db);
  return row?.balance ?? 0;
}

/** The credits a user can spend now, and those of them that expire next; null if none expire. */
interface Credits {
  balance: number;
  expiring: { amount: number; at: Date } | null;
}

/** Reads the user's credits for a page, in one statement. */
export async function getCredits(
  userId: string,
  db: DatabaseOrTransaction = getDb(),
): Promise<Credits> {
  const statement = Prisma.sql`
    SELECT coalesce(sum(remaining), 0)::int AS balance, min(expires_at) AS at,
           (sum(remaining) FILTER (WHERE expires_at = first))::int AS amount
    FROM (
      SELECT remaining, expires_at, min(expires_at) OVER () AS first FROM credit_transactions
      WHERE user_id = ${userId}::uuid AND remaining > 0
        AND (expires_at > statement_timestamp()) IS NOT FALSE
    ) AS lots`;
  const [row] = await queryPrepared<CreditsRow>("get_credits", statement, db);
  if (!row) throw new Error("credit_transactions: an aggregate gave no row");
  const { balance, amount, at } = row;
  return { balance, expiring: at && amount !== null ? { amount, at } : null };
}

interface CreditsRow {
  balance: number;
  amount: number | null;
  at: Date | null;
}
