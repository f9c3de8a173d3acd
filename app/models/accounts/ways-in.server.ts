import type { DatabaseOrTransaction } from "~/db.server";

export interface WaysIn {
  password: boolean;
  providers: number;
  passkeys: number;
}

/** The ways in which the account can be signed in to. Lock the account first to act on the result. */
export async function listWaysIn(userId: string, db: DatabaseOrTransaction): Promise<WaysIn> {
  const [ways] = await db.$queryRaw<WaysIn[]>`
    SELECT password_hash IS NOT NULL AS password,
      (SELECT count(*)::int FROM oauth_accounts WHERE user_id = u.id) AS providers,
      (SELECT count(*)::int FROM passkeys WHERE user_id = u.id) AS passkeys
    FROM users u WHERE id = ${userId}::uuid`;
  return ways ?? { password: false, providers: 0, passkeys: 0 };
}
