import { type DatabaseOrTransaction, getDb } from "~/db.server";

/** How an account's person can prove who they are before a sensitive action. */
export interface ReauthenticationMethods {
  password: boolean;
  /** Asked for with the password, or alone by an account without one. */
  code: boolean;
  passkey: boolean;
  /**
   * A linked provider or a mailed link. Both prove no more than an open browser or mailbox, so they are
   * only for accounts with neither a password nor an app.
   */
  elsewhere: boolean;
}

export async function listReauthenticationMethods(
  userId: string,
  db: DatabaseOrTransaction = getDb(),
): Promise<ReauthenticationMethods> {
  const [proofs] = await db.$queryRaw<Omit<ReauthenticationMethods, "elsewhere">[]>`
    SELECT password_hash IS NOT NULL AS password,
      EXISTS (SELECT FROM totp_factors
              WHERE user_id = u.id AND confirmed_at IS NOT NULL) AS code,
      EXISTS (SELECT FROM passkeys WHERE user_id = u.id) AS passkey
    FROM users u WHERE id = ${userId}::uuid`;
  const { password, code, passkey } = proofs ?? { password: false, code: false, passkey: false };
  return { password, code, passkey, elsewhere: !password && !code };
}
