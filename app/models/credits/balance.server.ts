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
