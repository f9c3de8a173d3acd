import { parseWithZod } from "@conform-to/zod/v4";
import { redirect } from "@remix-run/node";
import type { Locale } from "~/i18n/locale";
import { enterByLink, findSignInLink } from "~/models/accounts/sign-in-links.server";
import { requireEmail } from "~/server/accounts/account-emails.server";
import { completeSignIn } from "~/server/accounts/complete-sign-in.server";
import { rememberMailedTo } from "~/server/accounts/mailed-to-cookie.server";
import { requestSignInLink } from "~/server/accounts/sign-in-links.server";
import { enforceAddressLimit } from "~/server/limits/address-limits.server";
import { formRefused } from "~/server/request/form-refused.server";
import { readForm } from "~/server/request/read-body.server";
import { signInLinkSchema } from "~/services/auth/credentials";
import { AppError } from "~/utils/app-error";
import { securityEvent } from "~/utils/security-event.server";
import { sentPath, wayBackOf } from "~/utils/way-back";

/** Mails the link that the form asks for. Responds the same whether the address has an account or not. */
export async function requestFromForm(
  request: Request,
  { locale, clientAddress }: { locale: Locale; clientAddress: string },
) {
  const form = await readForm(request, Object.keys(signInLinkSchema.shape));
  const submission = parseWithZod(form, { schema: signInLinkSchema });
  if (submission.status !== "success") return formRefused({ submission, hide: [] });
  try {
    requireEmail();
    await requestSignInLink({ ...submission.value, clientAddress });
  } catch (error) {
    return formRefused({ submission, hide: [], error });
  }
  const { email, redirectTo } = submission.value;
  return redirect(sentPath(`/${locale}/sign-in-link`, redirectTo), {
    status: 303,
    headers: { "Set-Cookie": await rememberMailedTo(email) },
  });
}

/** Signs in for the page's button. If that isn't allowed, the page says why. */
export async function enterFromLink(
  request: Request,
  { token, locale, clientAddress }: { token: string; locale: Locale; clientAddress: string },
) {
  await enforceAddressLimit("mailed-link-address", clientAddress);
  const account = await findSignInLink(token);
  const result = await enterByLink(token);
  if (!account || result.status === "invalid_link") {
    securityEvent("sign_in_link", { outcome: "failure", reason: "invalid_link" });
    return formRefused({ error: linkRefused() });
  }
  const { userId, claimed } = result;
  securityEvent("sign_in_link", { outcome: "success", userId, details: { claimed } });
  if (claimed)
    securityEvent("email_verified", { outcome: "success", userId, reason: "sign_in_link" });
  const redirectTo = wayBackOf(request);
  const proven = { userId, email: account.email, way: "sign_in_link" } as const;
  try {
    return await completeSignIn(request, proven, { locale, redirectTo });
  } catch (error) {
    return formRefused({ error });
  }
}

function linkRefused(): AppError {
  return new AppError({
    code: "invalid_link",
    publicMessage: "This link no longer works. Nothing was changed. Ask for a new one.",
  });
}
