import type { SubmissionResult } from "@conform-to/dom";
import { getZodConstraint, parseWithZod } from "@conform-to/zod/v4";
import { type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import type { ReactNode } from "react";
import { useTranslations } from "use-intl";
import type { z } from "zod";
import { BotChallenge } from "~/components/account/bot-challenge";
import { Button } from "~/components/button";
import { DoneNotice } from "~/components/done-notice";
import { Field } from "~/components/field";
import { FormErrors } from "~/components/form-errors";
import { Notice } from "~/components/notice";
import { Page } from "~/components/page";
import { type FieldConstraints, formAttributes, serverForm } from "~/components/server-form";
import { getEnv } from "~/env.server";
import { translatorFor } from "~/i18n/messages.server";
import { requireEmail } from "~/server/account-mails.server";
import { HUMAN_FIELDS, shownChallenge } from "~/server/bot-challenge.server";
import { formRefused } from "~/server/form-refused.server";
import { requireLocale } from "~/server/locale-param.server";
import { pageAction } from "~/server/page-action.server";
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
export const action = pageAction(async ({ request, params, context }) => {
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
});

export default function ForgotPassword() {
  const t = useTranslations();
  const { locale, mails, sent, constraint, challenge } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  return (
    <Page title={t("forgotPassword.title")} lead={t("forgotPassword.lead")}>
      <DoneNotice done={sent ? "sent" : null} texts={{ sent: t("forgotPassword.sent") }} />
      {mails ? (
        <ForgotPasswordForm result={answer?.result} constraint={constraint}>
          <BotChallenge challenge={challenge} withoutScript={null} />
        </ForgotPasswordForm>
      ) : (
        <div className="max-w-text">
          <Notice tone="warning">{t("forgotPassword.off")}</Notice>
        </div>
      )}
      <p>
        <a href={`/${locale}/sign-in`} className="text-accent underline">
          {t("forgotPassword.back")}
        </a>
      </p>
    </Page>
  );
}

interface ForgotPasswordFormProps {
  result: SubmissionResult<string[]> | undefined;
  constraint: FieldConstraints;
  /** Keeps bots out. */
  children: ReactNode;
}

function ForgotPasswordForm({ result, constraint, children }: ForgotPasswordFormProps) {
  const t = useTranslations();
  const { form, field } = serverForm<keyof z.input<typeof forgotPasswordSchema>>({
    id: "forgot-password",
    result,
    constraint,
  });
  return (
    <form method="post" {...formAttributes(form)} className="grid max-w-form gap-5">
      <FormErrors form={form} />
      <Field
        field={field("email")}
        label={t("auth.email")}
        hint={t("forgotPassword.hint")}
        type="email"
        autoComplete="email"
      />
      {children}
      <Button>{t("forgotPassword.submit")}</Button>
    </form>
  );
}
