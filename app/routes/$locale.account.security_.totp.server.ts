import { parseWithZod } from "@conform-to/zod/v4";
import { data, redirect } from "@remix-run/node";
import { renderSVG } from "uqr";
import { PRODUCT_NAME } from "~/catalog";
import type { Locale } from "~/i18n/locale";
import type { SessionUser } from "~/models/accounts/sessions.server";
import { makeRecoveryCodes, turnOffTotp, turnOnTotp } from "~/models/accounts/totp.server";
import { releaseRateLimit } from "~/models/rate-limits.server";
import { wrongCode } from "~/server/accounts/check-code.server";
import { enforceRateLimit } from "~/server/limits/enforce-rate-limit.server";
import { limitRule } from "~/server/limits/rate-limit-rules";
import { formRefused } from "~/server/request/form-refused.server";
import { codeSchema } from "~/services/auth/account-forms";
import { totpUri } from "~/services/auth/totp-code.server";
import type { FormResult } from "~/utils/form-result";
import { securityEvent } from "~/utils/security-event.server";

interface Posted {
  user: SessionUser;
  locale: Locale;
}

const pageOf = (locale: Locale) => `/${locale}/account/security/totp`;

/** Returns a new secret as the page shows it: a picture for the app's camera, and text to type. */
export function describeSetup(secret: string, email: string) {
  const uri = totpUri({ secret, issuer: PRODUCT_NAME, account: email });
  const picture = renderSVG(uri, { border: 4 });
  return {
    uri,
    typed: secret.match(/.{1,4}/g)?.join(" ") ?? secret,
    picture: `data:image/svg+xml;base64,${Buffer.from(picture).toString("base64")}`,
  };
}

/** Turns the app on after its first code, and shows the recovery codes. */
export async function turnOnFromForm({ form, user, locale }: Posted & { form: FormData }) {
  const submission = parseWithZod(form, { schema: codeSchema });
  const hide = ["code"];
  if (submission.status !== "success") return formRefused({ submission, hide });
  const { id: userId, sessionId } = user;
  const rule = limitRule("wrong-code-user", userId);
  try {
    await enforceRateLimit(rule);
    const result = await turnOnTotp({ userId, sessionId, code: submission.value.code });
    if (result.status === "wrong_code") throw wrongCode();
    await releaseRateLimit(rule.key);
    if (result.status === "no_setup") return redirect(pageOf(locale), 303);
    logChange(userId, "totp_added");
    return codesShown(result.recoveryCodes);
  } catch (error) {
    return formRefused({ submission, hide, error });
  }
}

/** Makes new recovery codes and shows them. */
export async function renewCodesFromForm({ user, locale }: Posted) {
  const result = await makeRecoveryCodes(user.id);
  if (result.status === "off") return redirect(pageOf(locale), 303);
  logChange(user.id, "recovery_codes_made");
  return codesShown(result.recoveryCodes);
}

/** Turns the app off: a sign-in asks for no code from then on. */
export async function turnOffFromForm({ user, locale }: Posted) {
  if (await turnOffTotp(user.id)) logChange(user.id, "totp_removed");
  return redirect(`/${locale}/account/security?done=totpOff`, 303);
}

function codesShown(recoveryCodes: string[]) {
  return data<FormResult>({ recoveryCodes });
}

function logChange(userId: string, change: string): void {
  securityEvent("factor_changed", { outcome: "success", userId, details: { change } });
}
