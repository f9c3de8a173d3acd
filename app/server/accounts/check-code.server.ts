import { queuePasswordKnownNotice } from "~/models/accounts/account-emails.server";
import { getPasswordHash } from "~/models/accounts/passwords.server";
import { spendRecoveryCode } from "~/models/accounts/recovery-codes.server";
import { spendTotpCode } from "~/models/accounts/totp.server";
import {
  consumeRateLimit,
  consumeRateLimits,
  peekRateLimits,
  type RateLimitRule,
  releaseRateLimits,
} from "~/models/rate-limits.server";
import { findTrustedDevice } from "~/server/accounts/device-cookie.server";
import { rateLimited } from "~/server/limits/enforce-rate-limit.server";
import { limitRule } from "~/server/limits/rate-limit-rules";
import { isTotpCode } from "~/services/auth/totp-code.server";
import { AppError } from "~/utils/app-error";
import { log } from "~/utils/logger.server";
import { securityEvent } from "~/utils/security-event.server";
import { fingerprint } from "~/utils/token.server";

/** Wrong codes of unknown browsers within a day after which the owner hears that their password is known. */
const CODES_BEFORE_NOTICE = 5;

interface CodeAttempt {
  request: Request;
  userId: string;
  code: string;
  /** Whether the person has just given the account's password, to sign in. */
  afterPassword?: boolean;
}

/**
 * Checks an app's code or a recovery code, and uses it up. Every refusal looks the same; the log says
 * why. A browser that signed in to the account before has its own limits, which wrong codes from elsewhere
 * don't use up.
 * @throws AppError 400 wrong_code, 429 rate_limited after too many wrong codes
 */
export async function requireCode(attempt: CodeAttempt): Promise<void> {
  const { request, userId, code, afterPassword = false } = attempt;
  const factor = isTotpCode(code) ? "totp" : "recovery_code";
  const passwordHash = await getPasswordHash(userId);
  const deviceId = await findTrustedDevice(request, { userId, passwordHash });
  const rules = rulesFor(factor, userId, deviceId);
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
    if (afterPassword && !deviceId) await tellOwner(userId, rules);
    throw wrongCode();
  }
  await releaseRateLimits(rules.map(({ key }) => key));
  securityEvent("second_factor", { outcome: "success", userId, details: { factor } });
}

function rulesFor(
  factor: "totp" | "recovery_code",
  userId: string,
  deviceId: string | null,
): RateLimitRule[] {
  const device = deviceId && fingerprint(userId, deviceId);
  if (factor === "totp")
    return device
      ? [limitRule("wrong-code-device", device), limitRule("wrong-code-device-day", device)]
      : [limitRule("wrong-code-user", userId), limitRule("wrong-code-user-day", userId)];
  return [
    device
      ? limitRule("wrong-recovery-code-device", device)
      : limitRule("wrong-recovery-code-user", userId),
  ];
}

/** Mails the owner, once a day at most, that somebody with their password lacks only the code. */
async function tellOwner(userId: string, rules: RateLimitRule[]): Promise<void> {
  // Looking counts one more use.
  const limit = CODES_BEFORE_NOTICE;
  const { status } = await peekRateLimits(rules.slice(-1).map((rule) => ({ ...rule, limit })));
  if (status !== "limited") return;
  const notice = await consumeRateLimit(limitRule("password-known-notice-user", userId));
  if (notice.status === "allowed") await queuePasswordKnownNotice(userId);
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
