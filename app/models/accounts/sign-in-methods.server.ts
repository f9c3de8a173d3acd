import { type DatabaseOrTransaction, getDb, type Transaction } from "~/db.server";
import { lockAccount } from "~/models/accounts/account-lock.server";

/** How a person can sign in to their account, beside links sent to their mailbox. */
export interface SignInMethods {
  hasPassword: boolean;
  passkeys: number;
  /** Names of the linked providers. */
  providers: string[];
}

export async function listSignInMethods(
  userId: string,
  db: DatabaseOrTransaction = getDb(),
): Promise<SignInMethods> {
  const [ways] = await db.$queryRaw<SignInMethods[]>`
    SELECT password_hash IS NOT NULL AS "hasPassword",
           (SELECT count(*)::int FROM passkeys WHERE user_id = u.id) AS passkeys,
           ARRAY (SELECT provider FROM oauth_accounts WHERE user_id = u.id ORDER BY provider)
             AS providers
    FROM users u WHERE id = ${userId}::uuid`;
  return ways ?? { hasPassword: false, passkeys: 0, providers: [] };
}

/**
 * The same, with the account locked until the transaction ends: two removals at once would each see the
 * other's way as the one that stays.
 */
export async function lockSignInMethods(
  userId: string,
  transaction: Transaction,
): Promise<SignInMethods> {
  // In a statement of its own: the next one then sees what the lock waited for.
  await lockAccount(userId, transaction);
  return listSignInMethods(userId, transaction);
}
