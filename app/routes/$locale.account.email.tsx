import { getZodConstraint, parseWithZod } from "@conform-to/zod/v4";
import { type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { useTranslations } from "use-intl";
import type { z } from "zod";
import { AccountNav } from "~/components/account/account-nav";
import { Button } from "~/components/button";
import { DoneNotice } from "~/components/done-notice";
import { Field } from "~/components/field";
import { FormErrors } from "~/components/form-errors";
import { Notice } from "~/components/notice";
import { Page } from "~/components/page";
import { formAttributes, serverForm } from "~/components/server-form";
import { getEnv } from "~/env.server";
import { translatorFor } from "~/i18n/messages.server";
import { mailChangeLink } from "~/server/email-change.server";
import { formRefused } from "~/server/form-refused.server";
import { requireLocale } from "~/server/locale-param.server";
import { pageAction } from "~/server/page-action.server";
import { readForm } from "~/server/read-body.server";
import { requirePageUser } from "~/server/session.server";
import { requireFreshPage } from "~/server/step-up.server";
import { changeEmailSchema } from "~/services/auth/account-forms";
import { pageHeaders } from "~/utils/page-headers";

export const headers = pageHeaders;

/** Asks who is there before the form is shown, so that nothing that was typed is lost. */
export async function loader({ request, params }: LoaderFunctionArgs) {
  const locale = requireLocale(params);
  const user = await requirePageUser(request, locale);
  const done = new URL(request.url).searchParams.get("done");
  if (!done) await requireFreshPage(user, { locale, path: `/${locale}/account/email` });
  return {
    title: translatorFor(locale)("changeEmail.title"),
    locale,
    email: user.email,
    mails: getEnv().email !== null,
    done,
    constraint: getZodConstraint(changeEmailSchema),
  };
}

export const action = pageAction(async ({ request, params }) => {
  const locale = requireLocale(params);
  const user = await requirePageUser(request, locale);
  const here = `/${locale}/account/email`;
  await requireFreshPage(user, { locale, path: here });
  const form = await readForm(request, Object.keys(changeEmailSchema.shape));
  const submission = parseWithZod(form, { schema: changeEmailSchema });
  if (submission.status !== "success") return formRefused({ submission, hide: [] });
  const { newEmail } = submission.value;
  if (newEmail === user.email) {
    const fieldErrors = { newEmail: ["validation.emailSame" as const] };
    return formRefused({ submission, hide: [], fieldErrors });
  }
  try {
    await mailChangeLink({ userId: user.id, sessionId: user.sessionId, newEmail });
  } catch (error) {
    return formRefused({ submission, hide: [], error });
  }
  return redirect(`${here}?done=sent`, 303);
});

export default function AccountEmail() {
  const t = useTranslations();
  const { locale, email, mails, done, constraint } = useLoaderData<typeof loader>();
  const result = useActionData<typeof action>()?.result;
  const { form, field } = serverForm<keyof z.input<typeof changeEmailSchema>>({
    id: "change-email",
    result,
    constraint,
  });
  return (
    <Page title={t("changeEmail.title")} lead={t("changeEmail.lead", { email })}>
      <AccountNav />
      <DoneNotice done={done} texts={{ sent: t("changeEmail.sent") }} />
      {mails ? (
        <form method="post" {...formAttributes(form)} className="grid max-w-form gap-5">
          <FormErrors form={form} />
          <Field
            field={field("newEmail")}
            label={t("changeEmail.newEmail")}
            hint={t("changeEmail.hint")}
            type="email"
            autoComplete="email"
          />
          <Button>{t("changeEmail.submit")}</Button>
        </form>
      ) : (
        <div className="max-w-text">
          <Notice tone="warning">{t("changeEmail.off")}</Notice>
        </div>
      )}
      <p>
        <a href={`/${locale}/account/profile`} className="text-accent underline">
          {t("changeEmail.back")}
        </a>
      </p>
    </Page>
  );
}
