import { getFormProps, type SubmissionResult } from "@conform-to/react";
import { parseWithZod } from "@conform-to/zod/v4";
import { type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { Form, Link, useActionData, useLoaderData, useNavigation } from "@remix-run/react";
import { useTranslations } from "use-intl";
import { Button } from "~/components/button";
import { Field } from "~/components/field";
import { FormErrors } from "~/components/form-errors";
import { Notice } from "~/components/notice";
import { Page } from "~/components/page";
import { useZodForm } from "~/components/use-zod-form";
import { getEnv } from "~/env.server";
import { translatorFor } from "~/i18n/messages.server";
import type { PageHandle } from "~/root";
import { requireEmail } from "~/server/account-mails.server";
import { formRefused } from "~/server/form-refused.server";
import { requireLocale } from "~/server/locale-param.server";
import { pageAction } from "~/server/page-action.server";
import { readForm } from "~/server/read-body.server";
import { requestResetLink } from "~/server/reset-requests.server";
import { forgotPasswordSchema } from "~/services/auth/credentials";
import { pageHeaders } from "~/utils/page-headers";
import { pageMeta } from "~/utils/page-meta";

export const meta = pageMeta;
export const headers = pageHeaders;
export const handle: PageHandle = { interactive: true };

export async function loader({ request, params }: LoaderFunctionArgs) {
  const locale = requireLocale(params);
  return {
    title: translatorFor(locale)("forgotPassword.title"),
    locale,
    mails: getEnv().email !== null,
    sent: new URL(request.url).searchParams.has("sent"),
  };
}

/** Responds the same, and as fast, whether the address has an account or not. */
export const action = pageAction(async ({ request, params, context }) => {
  const locale = requireLocale(params);
  const form = await readForm(request, Object.keys(forgotPasswordSchema.shape));
  const submission = parseWithZod(form, { schema: forgotPasswordSchema });
  if (submission.status !== "success") return formRefused({ submission, hide: [] });
  const { email } = submission.value;
  try {
    requireEmail();
    await requestResetLink({ email, clientAddress: context.clientAddress });
  } catch (error) {
    return formRefused({ submission, hide: [], error });
  }
  return redirect(`/${locale}/forgot-password?sent`, 303);
});

export default function ForgotPassword() {
  const t = useTranslations();
  const { locale, mails, sent } = useLoaderData<typeof loader>();
  const result = useActionData<typeof action>()?.result;
  return (
    <Page title={t("forgotPassword.title")} lead={t("forgotPassword.lead")}>
      {sent && !result ? <Notice tone="success">{t("forgotPassword.sent")}</Notice> : null}
      {mails ? (
        <ForgotPasswordForm result={result} />
      ) : (
        <div className="max-w-text">
          <Notice tone="warning">{t("forgotPassword.off")}</Notice>
        </div>
      )}
      <p>
        <Link to={`/${locale}/sign-in`} className="text-accent underline">
          {t("forgotPassword.back")}
        </Link>
      </p>
    </Page>
  );
}

function ForgotPasswordForm({ result }: { result: SubmissionResult<string[]> | undefined }) {
  const t = useTranslations();
  const busy = useNavigation().formMethod === "POST";
  const [form, fields] = useZodForm({
    id: "forgot-password",
    schema: forgotPasswordSchema,
    result,
  });
  return (
    <Form method="post" {...getFormProps(form)} className="grid max-w-form gap-5">
      <FormErrors form={form} />
      <Field
        field={fields.email}
        label={t("auth.email")}
        hint={t("forgotPassword.hint")}
        type="email"
        autoComplete="email"
      />
      <Button disabled={busy}>{busy ? t("form.sending") : t("forgotPassword.submit")}</Button>
    </Form>
  );
}
