import { redirect, type TypedResponse } from "@remix-run/node";
import type { Locale } from "~/i18n/locale";
import { markReauthenticated } from "~/models/accounts/reauthentication.server";
import { rotateSession, type SessionUser } from "~/models/accounts/sessions.server";
import { sessionHeaders } from "~/server/accounts/session.server";
import { safeRedirect } from "~/utils/safe-redirect";
import { securityEvent } from "~/utils/security-event.server";

/**
 * Notes that a signed-in person has just proved who they are, in whatever way, gives the session a new
 * token and goes back to the page that asked for it.
 */
export async function confirmIdentity(
  user: SessionUser,
  next: { way: string; locale: Locale; redirectTo: string | undefined },
): Promise<TypedResponse<never>> {
  const { way, locale, redirectTo } = next;
  await markReauthenticated(user.sessionId);
  const token = await rotateSession(user.sessionId);
  securityEvent("identity_check", {
    outcome: "success",
    userId: user.id,
    sessionId: user.sessionId,
    details: { way },
  });
  return redirect(safeRedirect(redirectTo, `/${locale}/account`), {
    status: 303,
    ...(token ? { headers: await sessionHeaders(token) } : {}),
  });
}
