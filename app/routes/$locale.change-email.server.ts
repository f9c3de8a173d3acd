import { redirect } from "@remix-run/node";
import type { Locale } from "~/i18n/locale";
import { changeEmail, findChangeLink } from "~/models/accounts/change-email.server";
import type { SessionUser } from "~/models/accounts/sessions.server";
import { limitForms } from "~/server/limit-forms.server";
import { ERROR_STATUS } from "~/utils/error-codes";
import { securityEvent } from "~/utils/security-event.server";

/** The states of a link that the page can show. */
export type ChangeLinkState = "ready" | "sign_in" | "other_account" | "taken" | "invalid";

export const CHANGE_LINK_STATUS: Record<ChangeLinkState, number> = {
  ready: 200,
  sign_in: 200,
  other_account: ERROR_STATUS.not_owner,
  taken: 409,
  invalid: ERROR_STATUS.invalid_link,
};

/** Returns the link's state for this visitor, and the address for its owner. Changes nothing. */
export async function changeLinkFor(
  token: string,
  user: SessionUser | null,
): Promise<{ state: ChangeLinkState; newEmail: string }> {
  const link = await findChangeLink(token);
  if (!link?.usable) return { state: "invalid", newEmail: "" };
  if (!user) return { state: "sign_in", newEmail: "" };
  if (link.userId !== user.id) return { state: "other_account", newEmail: "" };
  return { state: link.taken ? "taken" : "ready", newEmail: link.newEmail };
}

interface FollowedLink {
  token: string;
  user: SessionUser | null;
  locale: Locale;
}

/** Changes the address for the page's button. If that isn't allowed, the page says why. */
export async function followChangeLink({ token, user, locale }: FollowedLink) {
  const here = changeEmailPath(locale, token);
  if (!user) return redirect(here, 303);
  await limitForms(user);
  const { id: userId, sessionId } = user;
  const { status } = await changeEmail({ token, userId, sessionId });
  if (status !== "changed") {
    securityEvent("email_changed", { outcome: "failure", userId, sessionId, reason: status });
    return redirect(here, 303);
  }
  securityEvent("email_changed", { outcome: "success", userId, sessionId });
  return redirect(`/${locale}/account/profile?done=email`, 303);
}

export function changeEmailPath(locale: Locale, token: string): string {
  return `/${locale}/change-email?${new URLSearchParams({ token })}`;
}
