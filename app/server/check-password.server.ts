import { getPasswordHash } from "~/models/accounts/passwords.server";
import { releaseRateLimit } from "~/models/rate-limits.server";
import { enforceRateLimit } from "~/server/enforce-rate-limit.server";
import { limitRule } from "~/server/rate-limit-rules";
import { verifyPassword } from "~/services/auth/password.server";
import { AppError } from "~/utils/app-error";
import { securityEvent } from "~/utils/security-event.server";

/**
 * Asks somebody who is signed in for their password once more, and answers the hash it was checked
 * against. Ten wrong ones in 15 minutes are too many: the session may be in a stranger's hands.
 * @throws AppError 400 wrong_password, 429 rate_limited, 503 busy
 */
export async function requirePassword({
  userId,
  password,
}: {
  userId: string;
  password: string;
}): Promise<string> {
  // Right ones too: each costs as much processor time as a wrong one.
  await enforceRateLimit(limitRule("password-user", userId));
  const wrong = limitRule("wrong-password-user", userId);
  // Counted before the check and taken back after it, so that parallel guesses all count.
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
    status: 400,
    publicMessage: "This is not your current password. Nothing was changed.",
  });
}
