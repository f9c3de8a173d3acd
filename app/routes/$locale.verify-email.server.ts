import { redirect } from "@remix-run/node";
import type { Locale } from "~/i18n/locale";
import { findVerificationLink, verifyEmail } from "~/models/accounts/email-verification.server";
import type { SessionUser } from "~/models/accounts/sessions.server";
import { formRefused } from "~/server/form-refused.server";
import { AppError } from "~/utils/app-error";
import { ERROR_STATUS } from "~/utils/error-codes";
import { securityEvent } from "~/utils/security-event.server";

/** The states of a link that the page can show. */
export type LinkState = "ready" | "sign_in" | "other_account" | "verified" | "invalid";

export const LINK_STATUS: Record<LinkState, number> = {
  ready: 200,
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
  if (!user) return "sign_in";
  return isOwner ? "ready" : "other_account";
}

interface FollowedLink {
  token: string;
  user: SessionUser | null;
  locale: Locale;
}

/** Verifies the address for the page's button. If that isn't allowed, the page says why. */
export async function followLink({ token, user, locale }: FollowedLink) {
  const here = verifyEmailPath(locale, token);
  // The page asks for a sign-in that comes back to it.
  if (!user) return redirect(here, 303);
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

function linkRefused(code: "not_owner" | "invalid_link"): AppError {
  return new AppError({
    code,
    publicMessage:
      code === "not_owner"
        ? "This link belongs to another account. Nothing was changed."
        : "This link is not valid any more. Nothing was changed; ask for a new one.",
  });
}

export function verifyEmailPath(locale: Locale, token: string): string {
  return `/${locale}/verify-email?${new URLSearchParams({ token })}`;
}
