import { consumeRateLimit } from "~/models/rate-limits.server";
import { mailResetLink } from "~/server/accounts/account-emails.server";
import { checkChallenge, isTrapped } from "~/server/accounts/bot-challenge.server";
import { enforceAddressLimit } from "~/server/limits/address-limits.server";
import { limitRule } from "~/server/limits/rate-limit-rules";
import { securityEvent } from "~/utils/security-event.server";
import { fingerprint } from "~/utils/token.server";

/**
 * Sends a reset link, unless too many were requested for this address within the hour. The response
 * is the same either way: otherwise a stranger could learn that somebody else requests links, or
 * see that they blocked them.
 * Where the bot challenge is on, a request without it counts against a lower limit: the link goes to
 * the address's owner alone, so it is no way in for a bot.
 * @throws AppError 400 challenge_failed, 429 rate_limited for too many requests from one network, 503
 * challenge_unavailable
 */
export async function requestResetLink({
  email,
  redirectTo,
  clientAddress,
  form,
}: {
  email: string;
  /** Where to go after the sign-in with the new password. */
  redirectTo: string | undefined;
  clientAddress: string;
  /** The posted form, with the bot challenge's field. */
  form: FormData;
}): Promise<void> {
  if (isTrapped(form, "reset")) return;
  await enforceAddressLimit("reset-address", clientAddress);
  if ((await checkChallenge({ form, action: "reset", clientAddress })) === "absent")
    await enforceAddressLimit("reset-unproven-address", clientAddress);
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
  mailResetLink({ email, redirectTo });
}
