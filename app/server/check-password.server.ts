import { getPasswordHash } from "~/models/accounts/passwords.server";
import { releaseRateLimit } from "~/models/rate-limits.server";
import { enforceRateLimit } from "~/server/enforce-rate-limit.server";
import { verifyPassword } from "~/services/auth/password.server";
import { AppError } from "~/utils/app-error";
import { securityEvent } from "~/utils/security-event.server";

/**
 * Asks somebody who is signed in for their password once more, and answers the hash it was checked
 * against. Ten wrong ones in 15 minutes are too many: the session may be in a stranger's hands.
 * @throws AppError 400 wrong_password, 429 rate_limited
 */
export async function requirePassword({
  userId,
  password,
}: {
  userId: string;
  password: string;
}): Promise<string> {
  const key = `password:${userId}`;
  // Counted before the check and taken back after it, so that parallel guesses all count.
  await enforceRateLimit({ key, limit: 10, windowSeconds: 900 });
  const hash = await getPasswordHash(userId);
  const right = await verifyPassword(password, hash);
  const outcome = hash && right ? "success" : "failure";
  securityEvent("password_check", { outcome, userId });
  if (!hash || !right) throw wrongPassword();
  await releaseRateLimit(key);
  return hash;
}

export function wrongPassword(): AppError {
  return new AppError({
    code: "wrong_password",
    status: 400,
    publicMessage: "This is not your current password. Nothing was changed.",
  });
}
