import { parseWithZod } from "@conform-to/zod/v4";
import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { useTranslations } from "use-intl";
import type { z } from "zod";
import { AccountPage } from "~/components/account/account-page";
import { DoneNotice } from "~/components/done-notice";
import { Button } from "~/components/ui/button";
import { Field } from "~/components/ui/field";
import { Notice } from "~/components/ui/notice";
import { PostForm } from "~/components/ui/post-form";
import { serverForm } from "~/components/ui/server-form";
import { getEnv } from "~/env.server";
import { translatorFor } from "~/i18n/messages.server";
import { mailChangeLink } from "~/server/accounts/email-change.server";
import { requirePageUser } from "~/server/accounts/session.server";
import { requireFreshPage } from "~/server/accounts/step-up.server";
import { formRefused } from "~/server/request/form-refused.server";
import { requireLocale } from "~/server/request/locale-param.server";
import { readForm } from "~/server/request/read-body.server";
import { changeEmailSchema } from "~/services/auth/account-forms";
import { fieldConstraints } from "~/utils/field-constraints";
import { pageHeaders } from "~/utils/page-headers";

export const headers = pageHeaders;

/** Asks who is there before the form is shown, so that nothing that was typed is lost. */
export async function loader({ request, params }: LoaderFunctionArgs) {
  const locale = requireLocale(params);
  const user = await requirePageUser(request, locale);
  const done = new URL(request.url).searchParams.get("done");
  if (!done) await requireFreshPage(user, { locale, path: `/${locale}/account/email` });
  return {
    locale,
    title: translatorFor(locale)("changeEmail.title"),
    email: user.email,
    emailVerified: user.emailVerified,
    mails: getEnv().email !== null,
    done,
    constraint: fieldConstraints(changeEmailSchema),
  };
}

export async function action({ request, params }: ActionFunctionArgs) {
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
    await mailChangeLink({ user, newEmail });
  } catch (error) {
    return formRefused({ submission, hide: [], error });
  }
  return redirect(`${here}?done=sent`, 303);
}

export default function AccountEmail() {
  const t = useTranslations();
  const { locale, email, emailVerified, mails, done, constraint } = useLoaderData<typeof loader>();
  const result = useActionData<typeof action>()?.result;
  const { form, field } = serverForm<keyof z.input<typeof changeEmailSchema>>({
    id: "change-email",
    result,
    constraint,
  });
  return (
    <AccountPage
      isNarrow
      back={{ path: "/account/profile", text: t("profile.title") }}
      title={t("changeEmail.title")}
      lead={t("changeEmail.lead", { email })}
    >
      <DoneNotice done={done} texts={{ sent: t("changeEmail.sent") }} />
      {mails && !emailVerified ? (
        <div className="max-w-text">
          <Notice
            tone="warn"
            action={
              <a href={`/${locale}/account/profile`} className="link-24">
                {t("profile.title")}
              </a>
            }
          >
            {t("changeEmail.unverified")}
          </Notice>
        </div>
      ) : mails ? (
        <PostForm form={form} className="card card-form">
          <Field
            field={field("newEmail")}
            label={t("changeEmail.newEmail")}
            hint={t("changeEmail.hint")}
            type="email"
            autoComplete="email"
          />
          <Button>{t("changeEmail.submit")}</Button>
        </PostForm>
      ) : (
        <div className="max-w-text">
          <Notice tone="warn">{t("changeEmail.off")}</Notice>
        </div>
      )}
    </AccountPage>
  );
}
