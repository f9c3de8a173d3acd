import { getEnv } from "~/env.server";
import {
  queueResetLink,
  queueSignUpNotice,
  queueVerificationLink,
} from "~/models/accounts/account-emails.server";
import { findEmailAccount } from "~/models/accounts/users.server";
import { consumeRateLimit } from "~/models/rate-limits.server";
import { mayMailLink } from "~/server/accounts/stranger-emails.server";
import { runInBackground } from "~/server/background/background.server";
import { enforceRateLimit } from "~/server/limits/enforce-rate-limit.server";
import { limitRule } from "~/server/limits/rate-limit-rules";
import { AppError } from "~/utils/app-error";

/**
 * Sends the link that sets a new password if the address has an account. Nothing the requester
 * sees, response time included, tells whether it has one. Does nothing while email is off.
 */
export function mailResetLink({
  email,
  redirectTo,
}: {
  email: string;
  redirectTo: string | undefined;
}): void {
  runInBackground("reset link", async () => {
    const account = await findEmailAccount({ email });
    if (!account || !(await mayMailLink(account))) return;
    await queueResetLink({ email, redirectTo: redirectTo ?? null });
  });
}

/**
 * Sends the link that verifies the account's address, unless it is verified, email is off, or the address
 * got too many links. The link's page leads on to `redirectTo`.
 */
export async function mailVerificationLink({
  userId,
  redirectTo,
}: {
  userId: string;
  redirectTo: string | undefined;
}): Promise<void> {
  const account = await findEmailAccount({ id: userId });
  if (!account || account.emailVerifiedAt || !(await mayMailLink(account))) return;
  await queueVerificationLink({ userId, redirectTo: redirectTo ?? null });
}

/**
 * Tells the owner of an account that somebody entered its address for another account, at most once a
 * day. It may have been the owner, so the email says how to get in. Does nothing while email is off.
 */
export function mailSignUpNotice(email: string): void {
  if (!getEnv().email) return;
  runInBackground("sign-up notice", async () => {
    const account = await findEmailAccount({ email });
    if (!account) return;
    const { status } = await consumeRateLimit(limitRule("sign-up-notice-account", account.id));
    if (status === "limited") return;
    await queueSignUpNotice(account.id);
  });
}

/** @throws AppError 429 rate_limited after too many requests by the user within the hour */
export function limitVerificationLinks(userId: string): Promise<void> {
  return enforceRateLimit(limitRule("verify-user", userId));
}

/** @throws AppError 503 email_unavailable while email is off */
export function requireEmail(): void {
  if (getEnv().email) return;
  throw new AppError({
    code: "email_unavailable",
    publicMessage: "Email isn't set up on this server, so we sent no link.",
  });
}
