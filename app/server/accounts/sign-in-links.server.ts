import { queueConfirmLink, queueSignInLink } from "~/models/accounts/account-emails.server";
import { findEmailAccount } from "~/models/accounts/users.server";
import { consumeRateLimit } from "~/models/rate-limits.server";
import { mayMailLink } from "~/server/accounts/stranger-emails.server";
import { runInBackground } from "~/server/background/background.server";
import { enforceAddressLimit } from "~/server/limits/address-limits.server";
import { enforceRateLimit } from "~/server/limits/enforce-rate-limit.server";
import { limitRule } from "~/server/limits/rate-limit-rules";
import { securityEvent } from "~/utils/security-event.server";
import { fingerprint } from "~/utils/token.server";

interface SignInLinkRequest {
  email: string;
  /** Where to go after signing in. */
  redirectTo: string | undefined;
  clientAddress: string;
}

/**
 * Mails a sign-in link if the address has an account, unless too many were requested for it within the
 * hour. Nothing the requester sees, response time included, tells which it was.
 * @throws AppError 429 rate_limited for too many requests from one network
 */
export async function requestSignInLink(wanted: SignInLinkRequest): Promise<void> {
  const { email, redirectTo = null, clientAddress } = wanted;
  await enforceAddressLimit("sign-in-link-address", clientAddress);
  const { status } = await consumeRateLimit(limitRule("sign-in-link-account", fingerprint(email)));
  if (status === "limited") {
    const reason = "rate_limited";
    securityEvent("sign_in_link_requested", { outcome: "failure", email, reason });
    return;
  }
  securityEvent("sign_in_link_requested", { outcome: "success", email });
  runInBackground("sign-in link", async () => {
    const account = await findEmailAccount({ email });
    if (!account || !(await mayMailLink(account))) return;
    await queueSignInLink({ userId: account.id, redirectTo });
  });
}

/**
 * Mails a signed-in user a link that confirms who they are, in this session only.
 * @throws AppError 429 rate_limited after five within the hour
 */
export async function requestConfirmLink({
  userId,
  sessionId,
  redirectTo = null,
}: {
  userId: string;
  sessionId: string;
  redirectTo: string | null | undefined;
}): Promise<void> {
  await enforceRateLimit(limitRule("confirm-link-user", userId));
  const account = await findEmailAccount({ id: userId });
  if (!account || !(await mayMailLink(account))) return;
  await queueConfirmLink({ userId, sessionId, redirectTo });
}
