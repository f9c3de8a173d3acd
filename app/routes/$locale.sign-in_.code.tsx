import { parseWithZod } from "@conform-to/zod/v4";
import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { useActionData, useLoaderData, useLocation } from "@remix-run/react";
import { useTranslations } from "use-intl";
import { CodeForm } from "~/components/account/code-form";
import { NarrowPage } from "~/components/narrow-page";
import type { Locale } from "~/i18n/locale";
import { translatorFor } from "~/i18n/messages.server";
import { requireCode } from "~/server/accounts/check-code.server";
import { completeWithCode } from "~/server/accounts/complete-sign-in.server";
import {
  isSignInPending,
  spendPendingSignIn,
  tryPendingSignIn,
} from "~/server/accounts/pending-sign-in.server";
import { formRefused } from "~/server/request/form-refused.server";
import { requireLocale } from "~/server/request/locale-param.server";
import { readForm } from "~/server/request/read-body.server";
import { codeSchema } from "~/services/auth/account-forms";
import { AppError } from "~/utils/app-error";
import { pageHeaders } from "~/utils/page-headers";
import { securityEvent } from "~/utils/security-event.server";
import { wayBackOf } from "~/utils/way-back";

export const headers = pageHeaders;

/** Starts over, with the same aim. */
function signInAgain(
  request: Request,
  locale: Locale,
  done: "codeExpired" | "disabled" = "codeExpired",
) {
  const redirectTo = wayBackOf(request);
  const query = new URLSearchParams({ done, ...(redirectTo ? { redirectTo } : {}) });
  return redirect(`/${locale}/sign-in?${query}`, 303);
}

/** Asks for the code of a sign-in whose password, link or provider was right. */
export async function loader({ request, params }: LoaderFunctionArgs) {
  const locale = requireLocale(params);
  if (!(await isSignInPending(request))) throw signInAgain(request, locale);
  return { title: translatorFor(locale)("signInCode.title"), locale };
}

export async function action({ request, params }: ActionFunctionArgs) {
  const locale = requireLocale(params);
  const form = await readForm(request, Object.keys(codeSchema.shape));
  const submission = parseWithZod(form, { schema: codeSchema });
  const hide = ["code"];
  if (submission.status !== "success") return formRefused({ submission, hide });
  const pending = await tryPendingSignIn(request);
  if (!pending) {
    securityEvent("second_factor", { outcome: "failure", reason: "no_pending_sign_in" });
    return signInAgain(request, locale);
  }
  try {
    await requireCode({
      request,
      userId: pending.userId,
      code: submission.value.code,
      afterPassword: pending.way === "password",
    });
  } catch (error) {
    return formRefused({ submission, hide, error });
  }
  if (!(await spendPendingSignIn(request))) return signInAgain(request, locale);
  try {
    return await completeWithCode(request, pending, locale);
  } catch (error) {
    // The sign-in is used up, so this page cannot show why the account refused it.
    if (!(error instanceof AppError)) throw error;
    return signInAgain(
      request,
      locale,
      error.code === "account_disabled" ? "disabled" : "codeExpired",
    );
  }
}

export default function SignInCode() {
  const t = useTranslations();
  const { locale } = useLoaderData<typeof loader>();
  const result = useActionData<typeof action>()?.result;
  const { search } = useLocation();
  return (
    <NarrowPage
      title={t("signInCode.title")}
      lead={t("signInCode.lead")}
      after={
        <>
          <p className="small muted">{t("signInCode.lost")}</p>
          <p className="center">
            <a href={`/${locale}/sign-in${search}`} className="link-24">
              {t("signInCode.startOver")}
            </a>
          </p>
        </>
      }
    >
      <CodeForm
        result={result}
        label={t("signInCode.code")}
        hint={t("signInCode.hint")}
        submitLabel={t("signIn.submit")}
      />
    </NarrowPage>
  );
}
