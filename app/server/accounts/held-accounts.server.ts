import { consumeRateLimit } from "~/models/rate-limits.server";
import { mailVerificationLink } from "~/server/accounts/account-emails.server";
import { limitRule } from "~/server/limits/rate-limit-rules";
import { AppError } from "~/utils/app-error";

/**
 * Mails a held account its link again, within the limit for such links, and returns the refusal of the
 * sign-in. Shown only after the right password.
 */
export async function refuseHeldAccount(userId: string): Promise<AppError> {
  const { status } = await consumeRateLimit(limitRule("verify-user", userId));
  if (status === "allowed") await mailVerificationLink({ userId, redirectTo: undefined });
  return new AppError({
    code: "account_held",
    publicMessage: "Confirm your email address first: open the link we emailed you.",
  });
}
