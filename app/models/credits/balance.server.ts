import { type DatabaseOrTransaction, getDb } from "~/db.server";

/**
 * The credits the user can spend now. The account's own balance still counts a lot that is over until
 * its expiry is booked; such lots are left out here.
 */
export async function getBalance(
  userId: string,
  db: DatabaseOrTransaction = getDb(),
): Promise<number> {
  const [row] = await db.$queryRaw<{ balance: number }[]>`
    SELECT coalesce(sum(remaining), 0)::int AS balance FROM credit_transactions
    WHERE user_id = ${userId}::uuid AND remaining > 0
      AND (expires_at > statement_timestamp()) IS NOT FALSE`;
  return row?.balance ?? 0;
}

/** The credits that expire next, and when; null if the user holds none that expire. */
export async function getExpiring(
  userId: string,
  db: DatabaseOrTransaction = getDb(),
): Promise<{ amount: number; at: Date } | null> {
  const [row] = await db.$queryRaw<{ amount: number; at: Date }[]>`
    SELECT sum(remaining)::int AS amount, expires_at AS at FROM credit_transactions
    WHERE user_id = ${userId}::uuid AND remaining > 0 AND expires_at > statement_timestamp()
    GROUP BY expires_at ORDER BY expires_at LIMIT 1`;
  return row ?? null;
}
