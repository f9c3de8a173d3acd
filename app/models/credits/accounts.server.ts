import { type DatabaseOrTransaction, getDb, type Transaction } from "~/db.server";

/** Creates the user's account if it does not exist. An empty account means the same as no account. */
export async function ensureAccount(
  userId: string,
  db: DatabaseOrTransaction = getDb(),
): Promise<void> {
  await db.$executeRaw`
    INSERT INTO credit_accounts (user_id) VALUES (${userId}::uuid)
    ON CONFLICT (user_id) DO NOTHING`;
}

/** `ensureAccount` for many users, in the order in which accounts are locked. */
export async function ensureAccounts(
  userIds: readonly string[],
  transaction: Transaction,
): Promise<void> {
  const missing = [...new Set(userIds)].sort();
  await transaction.$executeRaw`
    INSERT INTO credit_accounts (user_id) SELECT unnest(${missing}::uuid[])
    ON CONFLICT (user_id) DO NOTHING`;
}

/**
 * Locks the user's account until the transaction ends. Returns false if there is none, which means no
 * credits and nothing locked. The lock is a statement of its own: reads after it see everything
 * committed before the lock was granted.
 */
export async function lockAccount(userId: string, transaction: Transaction): Promise<boolean> {
  const locked = await transaction.$queryRaw<unknown[]>`
    SELECT 1 AS locked FROM credit_accounts WHERE user_id = ${userId}::uuid FOR UPDATE`;
  return locked.length === 1;
}
