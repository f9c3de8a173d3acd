import { type DatabaseOrTransaction, getDb, type Transaction } from "~/db.server";

/** Gives the user an account unless there is one. An empty account is as good as none. */
export async function ensureAccount(
  userId: string,
  db: DatabaseOrTransaction = getDb(),
): Promise<void> {
  await db.$executeRaw`
    INSERT INTO credit_accounts (user_id) VALUES (${userId}::uuid)
    ON CONFLICT (user_id) DO NOTHING`;
}

/**
 * Locks the user's account until the transaction ends; false if there is none, and so no credits. In
 * a statement of its own, so that the next one's snapshot has whatever was committed while this one
 * waited: under the lock, what is read of the user's lots is so. Without an account nothing is locked.
 */
export async function lockAccount(userId: string, transaction: Transaction): Promise<boolean> {
  const locked = await transaction.$queryRaw<unknown[]>`
    SELECT 1 AS locked FROM credit_accounts WHERE user_id = ${userId}::uuid FOR UPDATE`;
  return locked.length === 1;
}
