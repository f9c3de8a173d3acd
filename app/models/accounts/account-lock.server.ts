import type { Transaction } from "~/db.server";

/**
 * Locks the account, so that changes of its sign-in methods and its factors take turns. The same lock that
 * starting a session takes. Callers run at read committed and read after it.
 */
export async function lockAccount(userId: string, transaction: Transaction): Promise<void> {
  await transaction.$queryRaw`SELECT 1 FROM users WHERE id = ${userId}::uuid FOR NO KEY UPDATE`;
}

/**
 * Takes the account's key lock, which every row that names a user takes, ahead of other locks. A deletion
 * holds the account and waits for its rows; a holder of such a row that came for the account later would
 * deadlock with it.
 */
export async function keepAccount(userId: string, transaction: Transaction): Promise<void> {
  await transaction.$queryRaw`SELECT 1 FROM users WHERE id = ${userId}::uuid FOR KEY SHARE`;
}
