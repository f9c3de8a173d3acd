import type { ServerUnderTest } from "./with-test-server";

/** The address of a mailed link that signs in. */
export const signInLinkPath = (token: string, redirectTo?: string) =>
  `/en/sign-in-link?${new URLSearchParams({ token, ...(redirectTo ? { redirectTo } : {}) })}`;

/** How the account with this address can be entered, and what it has. */
export const signInState = async (app: ServerUnderTest, email: string) =>
  (
    await app.sql<{ verified: boolean; password: boolean; sessions: number; credits: number }>(
      `SELECT email_verified_at IS NOT NULL AS verified, password_hash IS NOT NULL AS password,
              (SELECT count(*)::int FROM sessions WHERE user_id = u.id) AS sessions,
              coalesce((SELECT balance FROM credit_accounts WHERE user_id = u.id), 0) AS credits
       FROM users u WHERE email = $1`,
      [email],
    )
  )[0];

/** Takes the person's password, and makes the last proof too old for a sensitive action. Returns the session's id. */
export async function makeStaleWithoutPassword(
  app: ServerUnderTest,
  email: string,
): Promise<string> {
  const [session] = await app.sql<{ id: string }>(
    `UPDATE sessions SET reauthenticated_at = '-infinity'
     WHERE user_id = (SELECT id FROM users WHERE email = $1) RETURNING id`,
    [email],
  );
  await app.sql("UPDATE users SET password_hash = NULL WHERE email = $1", [email]);
  return session?.id ?? "";
}

/** Whether the session's person proved who they are just now. */
export const isFreshSession = async (app: ServerUnderTest, sessionId: string) =>
  (
    await app.sql<{ fresh: boolean }>(
      "SELECT reauthenticated_at > now() - interval '1 minute' AS fresh FROM sessions WHERE id = $1",
      [sessionId],
    )
  )[0]?.fresh;
