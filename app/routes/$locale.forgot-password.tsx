import { parseWithZod } from "@conform-to/zod/v4";
import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { useTranslations } from "use-intl";
import { BotChallenge } from "~/components/account/bot-challenge";
import { EmailLinkForm } from "~/components/account/email-link-form";
import { EmailLinkPage } from "~/components/account/email-link-page";
import { EmailLinkSent } from "~/components/account/email-link-sent";
import type { PageHandle } from "~/components/page-handle";
import { WriteToUs } from "~/components/support/write-to-us";
import { getEnv } from "~/env.server";
import { translatorFor } from "~/i18n/messages.server";
import { requireEmail } from "~/server/accounts/account-emails.server";
import { HUMAN_FIELDS, shownChallenge } from "~/server/accounts/bot-challenge.server";
import { readMailedTo, rememberMailedTo } from "~/server/accounts/mailed-to-cookie.server";
import { requestResetLink } from "~/server/accounts/reset-requests.server";
import { formRefused } from "~/server/request/form-refused.server";
import { requireLocale } from "~/server/request/locale-param.server";
import { readForm } from "~/server/request/read-body.server";
import { forgotPasswordSchema } from "~/services/auth/credentials";
import { fieldConstraints } from "~/utils/field-constraints";
import { pageHeaders } from "~/utils/page-headers";
import { sentPath, wayBackOf } from "~/utils/way-back";

export const headers = pageHeaders;
export const handle: PageHandle = { sameForAll: true };

export async function loader({ request, params }: LoaderFunctionArgs) {
  const locale = requireLocale(params);
  const sent = new URL(request.url).searchParams.has("sent");
  return {
    title: translatorFor(locale)(sent ? "emailLinkSent.title" : "forgotPassword.title"),
    locale,
    mails: getEnv().email !== null,
    redirectTo: wayBackOf(request),
    sent,
    // The page of the form is cached for everybody, and reads no cookie.
    mailedTo: sent ? await readMailedTo(request) : null,
    constraint: fieldConstraints(forgotPasswordSchema),
    challenge: shownChallenge("reset"),
  };
}

/** Responds the same, and as fast, whether the address has an account or not. */
export async function action({ request, params, context }: ActionFunctionArgs) {
  const locale = requireLocale(params);
  const fields = [...Object.keys(forgotPasswordSchema.shape), ...HUMAN_FIELDS];
  const form = await readForm(request, fields);
  const submission = parseWithZod(form, { schema: forgotPasswordSchema });
  const refused = { submission, hide: HUMAN_FIELDS };
  if (submission.status !== "success") return formRefused(refused);
  const { email, redirectTo } = submission.value;
  try {
    requireEmail();
    await requestResetLink({ email, redirectTo, clientAddress: context.clientAddress, form });
  } catch (error) {
    return formRefused({ ...refused, error });
  }
  return redirect(sentPath(`/${locale}/forgot-password`, redirectTo), {
    status: 303,
    headers: { "Set-Cookie": await rememberMailedTo(email) },
  });
}

export default function ForgotPassword() {
  const t = useTranslations();
  const { locale, mails, redirectTo, sent, mailedTo, constraint, challenge } =
    useLoaderData<typeof loader>();
  const response = useActionData<typeof action>();
  if (sent && !response)
    return (
      <EmailLinkSent
        email={mailedTo}
        lead={mailedTo ? t("forgotPassword.sentTo", { email: mailedTo }) : t("forgotPassword.sent")}
        formPath={`/${locale}/forgot-password`}
        redirectTo={redirectTo}
      />
    );
  return (
    <EmailLinkPage
      title={t("forgotPassword.title")}
      lead={t("forgotPassword.lead")}
      locale={locale}
      offText={
        mails ? null : (
          <>
            {t("forgotPassword.off")} <WriteToUs />
          </>
        )
      }
    >
      <EmailLinkForm
        id="forgot-password"
        result={response?.result}
        constraint={constraint}
        hint={t("forgotPassword.hint")}
        submitLabel={t("forgotPassword.submit")}
      >
        {redirectTo ? <input type="hidden" name="redirectTo" value={redirectTo} /> : null}
        <BotChallenge challenge={challenge} withoutScript={null} />
      </EmailLinkForm>
    </EmailLinkPage>
  );
}
