import { parseWithZod } from "@conform-to/zod/v4";
import { redirect } from "@remix-run/node";
import type { Locale } from "~/i18n/locale";
import { changePassword } from "~/models/passwords.server";
import { endOwnSession, endSessions, type SessionUser } from "~/models/sessions.server";
import { requirePassword, wrongPassword } from "~/server/check-password.server";
import { rememberDevice } from "~/server/device-cookie.server";
import { formRefused } from "~/server/form-refused.server";
import { findPasswordFault } from "~/server/new-password.server";
import { signOutHeaders } from "~/server/session.server";
import { changePasswordSchema } from "~/services/auth/account-forms";
import { hashPassword } from "~/services/auth/password.server";
import { securityEvent } from "~/utils/security-event.server";

interface Posted {
  form: FormData;
  user: SessionUser;
  locale: Locale;
}

/** Replaces the password, for whoever knows the current one, and ends the other sessions. */
export async function changePasswordFromForm(
  request: Request,
  { form, user, locale }: Posted,
  clientAddress: string,
) {
  const submission = parseWithZod(form, { schema: changePasswordSchema });
  const hide = ["currentPassword", "newPassword"];
  if (submission.status !== "success") return formRefused({ submission, hide });
  const { currentPassword, newPassword } = submission.value;
  try {
    const checkedHash = await requirePassword({ userId: user.id, password: currentPassword });
    const { id: userId, sessionId, email } = user;
    const fault = await findPasswordFault({ password: newPassword, email, clientAddress });
    if (fault) return formRefused({ submission, hide, fieldErrors: { newPassword: [fault] } });
    const passwordHash = await hashPassword(newPassword);
    const result = await changePassword({ userId, sessionId, checkedHash, passwordHash });
    if (result.status === "changed_meanwhile") throw wrongPassword();
    securityEvent("password_changed", { outcome: "success", userId, sessionId });
    const device = await rememberDevice(request, { userId, checkedHash: passwordHash });
    return redirect(`/${locale}/account/security?done=password`, {
      status: 303,
      headers: { "Set-Cookie": device },
    });
  } catch (error) {
    return formRefused({ submission, hide, error });
  }
}

/** Ends one session; ending the one at hand is signing out. */
export async function endSessionFromForm(
  request: Request,
  { form, user, locale }: Posted,
): Promise<Response> {
  const sessionId = String(form.get("sessionId") ?? "");
  if (sessionId === user.sessionId) {
    return redirect(`/${locale}`, { status: 303, headers: await signOutHeaders(request) });
  }
  await endOwnSession({ userId: user.id, sessionId });
  return redirect(`/${locale}/account/security?done=ended`, 303);
}

export async function endOtherSessions({ user, locale }: Posted): Promise<Response> {
  await endSessions({ userId: user.id, except: user.sessionId });
  return redirect(`/${locale}/account/security?done=ended`, 303);
}
