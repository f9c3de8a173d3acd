import { parseWithZod } from "@conform-to/zod/v4";
import { redirect } from "@remix-run/node";
import type { Locale } from "~/i18n/locale";
import { changePassword, setFirstPassword } from "~/models/accounts/passwords.server";
import {
  endOwnSession,
  type SessionUser,
  signOutEverywhere,
} from "~/models/accounts/sessions.server";
import { requirePassword, wrongPassword } from "~/server/accounts/check-password.server";
import { confirmPassword } from "~/server/accounts/confirm-password.server";
import { rememberDevice } from "~/server/accounts/device-cookie.server";
import { findPasswordFault } from "~/server/accounts/new-password.server";
import { sessionHeaders, signOutRedirect } from "~/server/accounts/session.server";
import { requireFreshPage } from "~/server/accounts/step-up.server";
import { formRefused } from "~/server/request/form-refused.server";
import {
  changePasswordSchema,
  endSessionsSchema,
  firstPasswordSchema,
} from "~/services/auth/account-forms";
import { hashPassword } from "~/services/auth/password.server";
import { securityEvent } from "~/utils/security-event.server";

interface Posted {
  form: FormData;
  user: SessionUser;
  locale: Locale;
}

/** Replaces the password if the current one was given, and ends the other sessions. */
export async function changePasswordFromForm(
  request: Request,
  { form, user, locale }: Posted,
  clientAddress: string,
) {
  const submission = parseWithZod(form, { schema: changePasswordSchema });
  const hide = ["currentPassword", "newPassword"];
  if (submission.status !== "success") return formRefused({ submission, hide });
  await requireFreshPage(user, { locale, path: `/${locale}/account/security?done=confirmed` });
  const { currentPassword, newPassword } = submission.value;
  const { id: userId, sessionId } = user;
  try {
    const checkedHash = await requirePassword({ userId, password: currentPassword });
    const { email } = user;
    const fault = await findPasswordFault({ password: newPassword, email, clientAddress });
    if (fault) return formRefused({ submission, hide, fieldErrors: { newPassword: [fault] } });
    const passwordHash = await hashPassword(newPassword);
    const result = await changePassword({ userId, sessionId, checkedHash, passwordHash });
    if (result.status === "changed_meanwhile") throw wrongPassword();
    securityEvent("password_changed", { outcome: "success", userId, sessionId });
    const headers = new Headers(result.token ? await sessionHeaders(result.token) : {});
    headers.append("Set-Cookie", await rememberDevice(request, { userId, passwordHash }));
    return redirect(`/${locale}/account/security?done=password`, {
      status: 303,
      headers,
    });
  } catch (error) {
    return formRefused({ submission, hide, error });
  }
}

/** Sets the first password of an account, and ends the other sessions. */
export async function setPasswordFromForm(
  request: Request,
  { form, user, locale }: Posted,
  clientAddress: string,
) {
  const submission = parseWithZod(form, { schema: firstPasswordSchema });
  const hide = ["newPassword"];
  if (submission.status !== "success") return formRefused({ submission, hide });
  await requireFreshPage(user, { locale, path: `/${locale}/account/security?done=confirmed` });
  const { newPassword: password } = submission.value;
  const { id: userId, sessionId, email } = user;
  try {
    const fault = await findPasswordFault({ password, email, clientAddress });
    if (fault) return formRefused({ submission, hide, fieldErrors: { newPassword: [fault] } });
    const passwordHash = await hashPassword(password);
    const result = await setFirstPassword({ userId, sessionId, passwordHash });
    // Another tab was faster: the page has the form that asks for that password.
    if (result.status === "changed_meanwhile") return redirect(`/${locale}/account/security`, 303);
    securityEvent("password_set", { outcome: "success", userId, sessionId });
    const headers = new Headers(result.token ? await sessionHeaders(result.token) : {});
    headers.append("Set-Cookie", await rememberDevice(request, { userId, passwordHash }));
    return redirect(`/${locale}/account/security?done=passwordSet`, { status: 303, headers });
  } catch (error) {
    return formRefused({ submission, hide, error });
  }
}

/**
 * Ends one other session or, with `all`, every other one. Requires the password, or a fresh proof of
 * identity from an account without one: a stranger at an open browser must not be able to sign the
 * owner out. The user's own session ends by signing out.
 */
export async function endSessionsFromForm(
  request: Request,
  { form, user, locale, all }: Posted & { all: boolean },
) {
  const submission = parseWithZod(form, { schema: endSessionsSchema });
  const hide = ["currentPassword"];
  if (submission.status !== "success") return formRefused({ submission, hide });
  const { sessionId: chosen, currentPassword } = submission.value;
  if (!all && chosen === user.sessionId) return signOutRedirect(request, `/${locale}`);
  if (!all && !chosen) {
    const fieldErrors = { sessionId: ["validation.sessionRequired" as const] };
    return formRefused({ submission, hide, fieldErrors });
  }
  await requireFreshPage(user, { locale, path: `/${locale}/account/security?done=confirmed` });
  const { id: userId, sessionId } = user;
  try {
    await confirmPassword(userId, currentPassword);
  } catch (error) {
    return formRefused({ submission, hide, error });
  }
  const count = all
    ? await signOutEverywhere({ userId, except: sessionId })
    : await endOwnSession({ userId, sessionId: chosen ?? "" });
  const reason = "by_owner";
  securityEvent("sessions_ended", {
    outcome: "success",
    userId,
    sessionId,
    reason,
    details: { count },
  });
  return redirect(`/${locale}/account/security?done=ended`, 303);
}
