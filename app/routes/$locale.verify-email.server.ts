import { data, redirect } from "@remix-run/node";
import type { Locale } from "~/i18n/locale";
import { findVerificationLink, verifyEmail } from "~/models/accounts/email-verification.server";
import type { SessionUser } from "~/models/accounts/sessions.server";
import { securityEvent } from "~/utils/security-event.server";

/** The states of a link that the page can show. */
export type LinkState = "ready" | "sign_in" | "other_account" | "verified" | "invalid";

export const LINK_STATUS: Record<LinkState, number> = {
  ready: 200,
  sign_in: 200,
  other_account: 403,
  verified: 200,
  invalid: 400,
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
      return data(null, { status: reason === "not_owner" ? 403 : 400 });
    }
  }
}

export function verifyEmailPath(locale: Locale, token: string): string {
  return `/${locale}/verify-email?${new URLSearchParams({ token })}`;
}
