import { requestEmailChange } from "~/models/accounts/change-email.server";
import type { SessionUser } from "~/models/accounts/sessions.server";
import { mailSignUpNotice, requireEmail } from "~/server/accounts/account-emails.server";
import { requireVerifiedEmail } from "~/server/accounts/require-verified-email.server";
import { mayMailLink } from "~/server/accounts/stranger-emails.server";
import { runInBackground } from "~/server/background/background.server";
import { enforceRateLimit } from "~/server/limits/enforce-rate-limit.server";
import { limitRule } from "~/server/limits/rate-limit-rules";
import { securityEvent } from "~/utils/security-event.server";

/**
 * Sends a link to the new address. If the address has an account, its owner is told instead. Nothing that
 * the requester sees, response time included, tells which. Accounts without a verified address send none:
 * anybody can make them, to write to strangers.
 * @throws AppError 403 email_unverified, 429 rate_limited, 503 email_unavailable
 */
export async function mailChangeLink({
  user,
  newEmail,
}: {
  user: SessionUser;
  newEmail: string;
}): Promise<void> {
  requireEmail();
  requireVerifiedEmail(user);
  const { id: userId, sessionId } = user;
  await enforceRateLimit(limitRule("change-email-user", userId));
  securityEvent("email_change_requested", { outcome: "success", userId, sessionId });
  runInBackground("change of address", async () => {
    if (!(await mayMailLink({ email: newEmail, emailVerifiedAt: null }))) return;
    const { status } = await requestEmailChange({ userId, newEmail });
    if (status === "email_taken") mailSignUpNotice(newEmail);
  });
}
