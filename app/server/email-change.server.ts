import { requestEmailChange } from "~/models/accounts/change-email.server";
import { mailSignUpNotice, requireEmail } from "~/server/account-mails.server";
import { runInBackground } from "~/server/background.server";
import { sendQueuedEmails } from "~/server/email-delivery.server";
import { enforceRateLimit } from "~/server/enforce-rate-limit.server";
import { limitRule } from "~/server/rate-limit-rules";
import { securityEvent } from "~/utils/security-event.server";

/**
 * Sends a link to the new address. If the address has an account, its owner is told instead. Nothing that
 * the requester sees, response time included, tells which.
 * @throws AppError 429 rate_limited, 503 email_unavailable
 */
export async function mailChangeLink({
  userId,
  sessionId,
  newEmail,
}: {
  userId: string;
  sessionId: string;
  newEmail: string;
}): Promise<void> {
  requireEmail();
  await enforceRateLimit(limitRule("change-email-user", userId));
  securityEvent("email_change_requested", { outcome: "success", userId, sessionId });
  runInBackground("change of address", async () => {
    const { status } = await requestEmailChange({ userId, newEmail });
    if (status === "email_taken") mailSignUpNotice(newEmail);
    else sendQueuedEmails();
  });
}
