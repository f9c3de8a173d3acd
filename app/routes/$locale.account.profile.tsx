import { getFormProps, getSelectProps, type SubmissionResult } from "@conform-to/react";
import type { LoaderFunctionArgs } from "@remix-run/node";
import { Form, useActionData, useLoaderData, useNavigation } from "@remix-run/react";
import { useTranslations } from "use-intl";
import { AccountNav } from "~/components/account/account-nav";
import { EmailStatus } from "~/components/account/email-status";
import { Button } from "~/components/button";
import { Field } from "~/components/field";
import { FieldNotes, fieldDescription } from "~/components/field-notes";
import { FormErrors } from "~/components/form-errors";
import { Notice } from "~/components/notice";
import { Page } from "~/components/page";
import { useZodForm } from "~/components/use-zod-form";
import { getEnv } from "~/env.server";
import { LOCALE_NAMES, LOCALES } from "~/i18n/locale";
import { translatorFor } from "~/i18n/messages.server";
import type { PageHandle } from "~/root";
import { requireLocale } from "~/server/locale-param.server";
import { pageAction } from "~/server/page-action.server";
import { readForm } from "~/server/read-body.server";
import { requirePageUser } from "~/server/session.server";
import { profileSchema } from "~/services/auth/account-forms";
import { pageHeaders } from "~/utils/page-headers";
import { pageMeta } from "~/utils/page-meta";
import { resendVerification, saveProfile } from "./$locale.account.profile.server";

export const meta = pageMeta;
export const headers = pageHeaders;
export const handle: PageHandle = { interactive: true };

export async function loader({ request, params }: LoaderFunctionArgs) {
  const locale = requireLocale(params);
  const user = await requirePageUser(request, locale);
  return {
    title: translatorFor(locale)("profile.title"),
    email: user.email,
    emailVerified: user.emailVerified,
    name: user.name ?? "",
    language: user.locale,
    mails: getEnv().email !== null,
    done: new URL(request.url).searchParams.get("done"),
  };
}

export const action = pageAction(async ({ request, params }) => {
  const locale = requireLocale(params);
  const user = await requirePageUser(request, locale);
  const form = await readForm(request, ["intent", ...Object.keys(profileSchema.shape)]);
  const posted = { form, user, locale };
  return form.get("intent") === "verify" ? resendVerification(posted) : saveProfile(posted);
});

export default function Profile() {
  const t = useTranslations();
  const { done, ...profile } = useLoaderData<typeof loader>();
  const result = useActionData<typeof action>()?.result;
  return (
    <Page title={t("profile.title")} lead={t("profile.lead")}>
      <AccountNav />
      {done === "saved" && !result ? <Notice tone="success">{t("profile.saved")}</Notice> : null}
      {done === "sent" && !result && !profile.emailVerified ? (
        <Notice tone="success">{t("profile.sent")}</Notice>
      ) : null}
      <ProfileForm result={result} name={profile.name} language={profile.language} />
      <EmailStatus email={profile.email} verified={profile.emailVerified} mails={profile.mails} />
    </Page>
  );
}

interface ProfileFormProps {
  result: SubmissionResult<string[]> | undefined;
  name: string;
  language: string;
}

function ProfileForm({ result, name, language }: ProfileFormProps) {
  const t = useTranslations();
  const busy = useNavigation().formMethod === "POST";
  const [form, fields] = useZodForm({
    id: "profile",
    schema: profileSchema,
    result,
    defaultValue: { name, locale: language },
  });
  const { key, ...select } = getSelectProps(fields.locale);
  return (
    <Form method="post" {...getFormProps(form)} className="grid max-w-form gap-5">
      <FormErrors form={form} />
      <Field
        field={fields.name}
        label={t("profile.name")}
        hint={t("profile.nameHint")}
        type="text"
        autoComplete="name"
      />
      <div className="grid gap-1">
        <label htmlFor={fields.locale.id} className="font-medium">
          {t("profile.language")}
        </label>
        <select
          key={key}
          {...select}
          aria-describedby={fieldDescription(fields.locale, true)}
          className="min-h-10 rounded-md border border-line-strong bg-page px-3 aria-invalid:border-danger"
        >
          {LOCALES.map((locale) => (
            <option key={locale} value={locale} lang={locale}>
              {LOCALE_NAMES[locale]}
            </option>
          ))}
        </select>
        <FieldNotes field={fields.locale} hint={t("profile.languageHint")} />
      </div>
      <Button name="intent" value="profile" disabled={busy}>
        {busy ? t("form.sending") : t("profile.submit")}
      </Button>
    </Form>
  );
}
