import { getPasswordHash } from "~/models/accounts/passwords.server";
import { releaseRateLimit } from "~/models/rate-limits.server";
import { enforceRateLimit } from "~/server/limits/enforce-rate-limit.server";
import { limitRule } from "~/server/limits/rate-limit-rules";
import { verifyPassword } from "~/services/auth/password.server";
import { AppError } from "~/utils/app-error";
import { securityEvent } from "~/utils/security-event.server";

/**
 * Checks a signed-in user's password again and returns the hash it was checked against. Allows ten
 * wrong passwords in 15 minutes, since the session may be in a stranger's hands.
 * @throws AppError 400 wrong_password, 429 rate_limited, 503 busy
 */
export async function requirePassword({
  userId,
  password,
}: {
  userId: string;
  password: string;
}): Promise<string> {
  // Correct passwords count too: checking one costs as much processor time.
  await enforceRateLimit(limitRule("password-user", userId));
  const wrong = limitRule("wrong-password-user", userId);
  // Counted before the check and taken back if it succeeds or can't run, so that parallel guesses
  // all count.
  await enforceRateLimit(wrong);
  const hash = await getPasswordHash(userId);
  const right = await verifyPassword(password, hash).catch(async (error: unknown) => {
    await releaseRateLimit(wrong.key);
    throw error;
  });
  if (!hash || !right) {
    securityEvent("password_check", { outcome: "failure", userId, reason: "wrong_password" });
    throw wrongPassword();
  }
  await releaseRateLimit(wrong.key);
  securityEvent("password_check", { outcome: "success", userId });
  return hash;
}

export function wrongPassword(): AppError {
  return new AppError({
    code: "wrong_password",
    publicMessage: "That isn't your current password. Nothing was changed.",
  });
}
