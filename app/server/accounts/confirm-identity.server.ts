import { redirect, type TypedResponse } from "@remix-run/node";
import type { Locale } from "~/i18n/locale";
import { markReauthenticated } from "~/models/accounts/reauthentication.server";
import { rotateSession, type SessionUser } from "~/models/accounts/sessions.server";
import { dropForm, findForm } from "~/server/accounts/repeated-form.server";
import { sessionHeaders } from "~/server/accounts/session.server";
import { safeRedirect } from "~/utils/safe-redirect";
import { securityEvent } from "~/utils/security-event.server";

/**
 * Notes that a signed-in person has just proved who they are, in whatever way, gives the session a new
 * token and goes back to the page that asked for it. `step` names the form that was sent there: the browser
 * sends it again, since the form of this request carries its fields.
 */
export async function confirmIdentity(
  user: SessionUser,
  next: { way: string; locale: Locale; redirectTo: string | undefined; step?: string | undefined },
): Promise<TypedResponse<never>> {
  const { way, locale, redirectTo, step } = next;
  await markReauthenticated(user.sessionId);
  const token = await rotateSession(user.sessionId);
  securityEvent("identity_check", {
    outcome: "success",
    userId: user.id,
    sessionId: user.sessionId,
    details: { way },
  });
  const form = step ? await findForm(step, user) : null;
  if (step && form) await dropForm(step);
  return redirect(form?.action ?? safeRedirect(redirectTo, `/${locale}/account`), {
    // With 307, and only with it, a browser sends the fields again.
    status: form ? 307 : 303,
    ...(token ? { headers: await sessionHeaders(token) } : {}),
  });
}
