import { getPasswordHash } from "~/models/accounts/passwords.server";
import { requirePassword } from "~/server/accounts/check-password.server";

/**
 * Asks for the password again before an action that must not be possible with a borrowed session.
 * Returns the checked hash, or null for an account without a password, which isn't asked for one.
 * @throws AppError 400 wrong_password, 429 rate_limited
 */
export async function confirmPassword(
  userId: string,
  password: string | undefined,
): Promise<string | null> {
  const hasPassword = (await getPasswordHash(userId)) !== null;
  return hasPassword ? requirePassword({ userId, password: password ?? "" }) : null;
}
