import { spendRecoveryCode } from "~/models/accounts/recovery-codes.server";
import { spendTotpCode } from "~/models/accounts/totp.server";
import { consumeRateLimits, releaseRateLimits } from "~/models/rate-limits.server";
import { rateLimited } from "~/server/enforce-rate-limit.server";
import { limitRule } from "~/server/rate-limit-rules";
import { isTotpCode } from "~/services/auth/totp-code.server";
import { AppError } from "~/utils/app-error";
import { log } from "~/utils/logger.server";
import { securityEvent } from "~/utils/security-event.server";

/**
 * Checks an app's code or a recovery code, and uses it up. Every refusal looks the same; the log says
 * why.
 * @throws AppError 400 wrong_code, 429 rate_limited after too many wrong codes of this account
 */
export async function requireCode(attempt: { userId: string; code: string }): Promise<void> {
  const { userId, code } = attempt;
  const factor = isTotpCode(code) ? "totp" : "recovery_code";
  const rules =
    factor === "totp"
      ? [limitRule("wrong-code-user", userId), limitRule("wrong-code-user-day", userId)]
      : [limitRule("wrong-recovery-code-user", userId)];
  // Counted before the check and taken back if it succeeds, so that parallel guesses all count.
  const admitted = await consumeRateLimits(rules);
  if (admitted.status === "limited") throw rateLimited(admitted.rule, admitted.retryAfterSeconds);
  const status = factor === "totp" ? await checkApp(attempt) : await checkRecovery(attempt);
  if (status !== "right") {
    securityEvent("second_factor", {
      outcome: "failure",
      userId,
      reason: `${factor}_${status}`,
    });
    throw wrongCode();
  }
  await releaseRateLimits(rules.map(({ key }) => key));
  securityEvent("second_factor", { outcome: "success", userId, details: { factor } });
}

async function checkApp(attempt: { userId: string; code: string }) {
  const { status } = await spendTotpCode(attempt);
  if (status === "unreadable")
    log().error(
      { userId: attempt.userId },
      "an authenticator app's secret was encrypted under another AUTH_SECRET",
    );
  return status;
}

async function checkRecovery(attempt: { userId: string; code: string }) {
  if (!(await spendRecoveryCode(attempt))) return "wrong";
  securityEvent("factor_changed", {
    outcome: "success",
    userId: attempt.userId,
    details: { change: "recovery_code_used" },
  });
  return "right";
}

export function wrongCode(): AppError {
  return new AppError({
    code: "wrong_code",
    publicMessage:
      "This code is wrong, or you've used it before. Nothing was changed. Wait for the next one and try again.",
  });
}
