import { consumeRateLimit } from "~/models/rate-limits.server";
import { mailResetLink } from "~/server/account-mails.server";
import { enforceAddressLimit } from "~/server/address-limits.server";
import { limitRule } from "~/server/rate-limit-rules";
import { securityEvent } from "~/utils/security-event.server";
import { fingerprint } from "~/utils/token.server";

/**
 * Sends a reset link, unless too many were requested for this address within the hour. The response
 * is the same either way: otherwise a stranger could learn that somebody else requests links, or
 * see that they blocked them.
 * @throws AppError 429 rate_limited for too many requests from one network
 */
export async function requestResetLink({
  email,
  clientAddress,
}: {
  email: string;
  clientAddress: string;
}): Promise<void> {
  await enforceAddressLimit("reset-address", clientAddress);
  const { status } = await consumeRateLimit(limitRule("reset-account", fingerprint(email)));
  if (status === "limited") {
    securityEvent("password_reset_requested", {
      outcome: "failure",
      email,
      reason: "rate_limited",
    });
    return;
  }
  securityEvent("password_reset_requested", { outcome: "success", email });
  mailResetLink(email);
}
