import { getZodConstraint, parseWithZod } from "@conform-to/zod/v4";
import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { useTranslations } from "use-intl";
import { BotChallenge } from "~/components/account/bot-challenge";
import { MailLinkForm } from "~/components/account/mail-link-form";
import { MailLinkPage } from "~/components/account/mail-link-page";
import { getEnv } from "~/env.server";
import { translatorFor } from "~/i18n/messages.server";
import { requireEmail } from "~/server/account-mails.server";
import { HUMAN_FIELDS, shownChallenge } from "~/server/bot-challenge.server";
import { formRefused } from "~/server/form-refused.server";
import { requireLocale } from "~/server/locale-param.server";
import { readForm } from "~/server/read-body.server";
import { requestResetLink } from "~/server/reset-requests.server";
import { forgotPasswordSchema } from "~/services/auth/credentials";
import { pageHeaders } from "~/utils/page-headers";

export const headers = pageHeaders;

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
  const answer = useActionData<typeof action>();
  return (
    <MailLinkPage
      title={t("forgotPassword.title")}
      lead={t("forgotPassword.lead")}
      locale={locale}
      sent={sent}
      sentText={t("forgotPassword.sent")}
      offText={mails ? null : t("forgotPassword.off")}
    >
      <MailLinkForm
        id="forgot-password"
        result={answer?.result}
        constraint={constraint}
        hint={t("forgotPassword.hint")}
        submitLabel={t("forgotPassword.submit")}
      >
        <BotChallenge challenge={challenge} withoutScript={null} />
      </MailLinkForm>
    </MailLinkPage>
  );
}
