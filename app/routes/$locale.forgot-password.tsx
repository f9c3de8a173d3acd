import { getZodConstraint, parseWithZod } from "@conform-to/zod/v4";
import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { useTranslations } from "use-intl";
import { BotChallenge } from "~/components/account/bot-challenge";
import { EmailLinkForm } from "~/components/account/email-link-form";
import { EmailLinkPage } from "~/components/account/email-link-page";
import type { PageHandle } from "~/components/page-handle";
import { getEnv } from "~/env.server";
import { translatorFor } from "~/i18n/messages.server";
import { requireEmail } from "~/server/accounts/account-emails.server";
import { HUMAN_FIELDS, shownChallenge } from "~/server/accounts/bot-challenge.server";
import { requestResetLink } from "~/server/accounts/reset-requests.server";
import { formRefused } from "~/server/request/form-refused.server";
import { requireLocale } from "~/server/request/locale-param.server";
import { readForm } from "~/server/request/read-body.server";
import { forgotPasswordSchema } from "~/services/auth/credentials";
import { pageHeaders } from "~/utils/page-headers";

export const headers = pageHeaders;
export const handle: PageHandle = { sameForAll: true };

export async function loader({ request, params }: LoaderFunctionArgs) {
  const locale = requireLocale(params);
  return {
    title: translatorFor(locale)("forgotPassword.title"),
    locale,
    mails: getEnv().email !== null,
    sent: new URL(request.url).searchParams.has("sent"),
    constraint: getZodConstraint(forgotPasswordSchema),
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
  const { email } = submission.value;
  try {
    requireEmail();
    await requestResetLink({ email, clientAddress: context.clientAddress, form });
  } catch (error) {
    return formRefused({ ...refused, error });
  }
  return redirect(`/${locale}/forgot-password?sent`, 303);
}

export default function ForgotPassword() {
  const t = useTranslations();
  const { locale, mails, sent, constraint, challenge } = useLoaderData<typeof loader>();
  const response = useActionData<typeof action>();
  return (
    <EmailLinkPage
      title={t("forgotPassword.title")}
      lead={t("forgotPassword.lead")}
      locale={locale}
      sent={sent}
      sentText={t("forgotPassword.sent")}
      offText={mails ? null : t("forgotPassword.off")}
    >
      <EmailLinkForm
        id="forgot-password"
        result={response?.result}
        constraint={constraint}
        hint={t("forgotPassword.hint")}
        submitLabel={t("forgotPassword.submit")}
      >
        <BotChallenge challenge={challenge} withoutScript={null} />
      </EmailLinkForm>
    </EmailLinkPage>
  );
}
