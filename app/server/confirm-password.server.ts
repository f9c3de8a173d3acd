import { getPasswordHash } from "~/models/accounts/passwords.server";
import { requirePassword } from "~/server/check-password.server";

/**
 * Asks for the password once more before something that a borrowed session must not do. Returns the
 * hash that was checked; null for an account without a password, which cannot be asked for one.
 * @throws AppError 400 wrong_password, 429 rate_limited
 */
export async function confirmPassword(
  userId: string,
  password: string | undefined,
): Promise<string | null> {
  const hasPassword = (await getPasswordHash(userId)) !== null;
  return hasPassword ? requirePassword({ userId, password: password ?? "" }) : null;
}
