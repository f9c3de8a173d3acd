import { type DatabaseOrTransaction, getDb } from "~/db.server";

/**
 * The credits that the user can spend now. A lot whose time is over and whose expiry is not booked
 * yet still counts in the account's own balance, and is left out here.
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

/** What the user loses next, and when; null while nothing they hold expires. */
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
