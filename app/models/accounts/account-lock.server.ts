import type { Transaction } from "~/db.server";

/**
 * Locks the account, so that changes of its ways in and its factors take turns. The same lock that
 * starting a session takes. Callers run at read committed and read after it.
 */
export async function lockAccount(userId: string, transaction: Transaction): Promise<void> {
  await transaction.$queryRaw`SELECT 1 FROM users WHERE id = ${userId}::uuid FOR NO KEY UPDATE`;
}
