import { parseWithZod } from "@conform-to/zod/v4";
import { redirect } from "@remix-run/node";
import type { Locale } from "~/i18n/locale";
import {
  findHeldAccount,
  findVerificationLink,
  verifyEmail,
} from "~/models/accounts/email-verification.server";
import type { SessionUser } from "~/models/accounts/sessions.server";
import { completeSignIn } from "~/server/accounts/complete-sign-in.server";
import { checkCredentials } from "~/server/accounts/sign-in.server";
import { limitForms } from "~/server/limits/limit-forms.server";
import { formRefused } from "~/server/request/form-refused.server";
import { readForm } from "~/server/request/read-body.server";
import { heldAccountSchema } from "~/services/auth/credentials";
import { CHALLENGE_FIELD } from "~/services/bot-challenge/challenge";
import { AppError } from "~/utils/app-error";
import { ERROR_STATUS } from "~/utils/error-codes";
import { securityEvent } from "~/utils/security-event.server";
import { wayBackOf } from "~/utils/way-back";

/** The states of a link that the page can show. */
export type LinkState = "ready" | "held" | "sign_in" | "other_account" | "verified" | "invalid";

export const LINK_STATUS: Record<LinkState, number> = {
  ready: 200,
  held: 200,
  sign_in: 200,
  other_account: ERROR_STATUS.not_owner,
  verified: 200,
  invalid: ERROR_STATUS.invalid_link,
};

/** Returns the link's state for this visitor. Changes nothing. */
export async function linkStateOf(token: string, user: SessionUser | null): Promise<LinkState> {
  const link = await findVerificationLink(token);
  const isOwner = link !== null && link.userId === user?.id;
  if (isOwner && user?.emailVerified) return "verified";
  if (!link?.usable) return "invalid";
  if (!user) return (await findHeldAccount(token)) ? "held" : "sign_in";
  return isOwner ? "ready" : "other_account";
}

interface FollowedLink {
  request: Request;
  token: string;
  user: SessionUser | null;
  locale: Locale;
  clientAddress: string;
}

/** Verifies the address for the page's button. If that isn't allowed, the page says why. */
export async function followLink(followed: FollowedLink) {
  const { request, token, user, locale } = followed;
  const redirectTo = wayBackOf(request);
  const here = verifyEmailPath(locale, { token, redirectTo });
  if (!user) {
    const held = await findHeldAccount(token);
    // Without one, the page asks for a sign-in that comes back to it.
    return held ? releaseHeldAccount(held, followed) : redirect(here, 303);
  }
  await limitForms(user);
  const { id: userId, sessionId } = user;
  const result = await verifyEmail({ token, userId });
  switch (result.status) {
    case "verified":
      if (result.changed)
        securityEvent("email_verified", { outcome: "success", userId, sessionId });
      return redirect(here, 303);
    case "not_owner":
    case "invalid_link": {
      const reason = result.status;
      securityEvent("email_verified", { outcome: "failure", userId, sessionId, reason });
      return formRefused({ error: linkRefused(reason) });
    }
  }
}

/**
 * Verifies a held account's address and signs in. Asks for the password: a stranger may have made the
 * account with this address, and its owner's click must not open it to them. The owner can set a
 * password of their own by "Forgot your password?".
 */
async function releaseHeldAccount(
  { userId, email }: { userId: string; email: string },
  { request, token, locale, clientAddress }: FollowedLink,
) {
  const form = await readForm(request, [...Object.keys(heldAccountSchema.shape), CHALLENGE_FIELD]);
  const submission = parseWithZod(form, { schema: heldAccountSchema });
  const refused = { submission, hide: ["password", CHALLENGE_FIELD] };
  if (submission.status !== "success") return formRefused(refused);
  const redirectTo = wayBackOf(request);
  form.set("email", email);
  try {
    const account = await checkCredentials(request, form, clientAddress);
    const result = await verifyEmail({ token, userId });
    if (result.status !== "verified") {
      const reason = result.status;
      securityEvent("email_verified", { outcome: "failure", userId, reason });
      return redirect(verifyEmailPath(locale, { token, redirectTo }), 303);
    }
    securityEvent("email_verified", { outcome: "success", userId, reason: "held_account" });
    const proven = { ...account, email, way: "password" } as const;
    return await completeSignIn(request, proven, { locale, redirectTo });
  } catch (error) {
    return formRefused({ ...refused, error });
  }
}

function linkRefused(code: "not_owner" | "invalid_link"): AppError {
  return new AppError({
    code,
    publicMessage:
      code === "not_owner"
        ? "This link belongs to another account. Nothing was changed."
        : "This link no longer works. Nothing was changed. Ask for a new one.",
  });
}

/** Returns the address of a link's page, which leads on to `redirectTo`. */
export function verifyEmailPath(
  locale: Locale,
  { token, redirectTo }: { token: string; redirectTo: string | undefined },
): string {
  const query = new URLSearchParams({ token, ...(redirectTo ? { redirectTo } : {}) });
  return `/${locale}/verify-email?${query}`;
}
