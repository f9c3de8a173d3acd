import type { SubmissionResult } from "@conform-to/dom";
import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { useTranslations } from "use-intl";
import type { z } from "zod";
import { AccountPage } from "~/components/account/account-page";
import { EmailPreferences } from "~/components/account/email-preferences";
import { EmailStatus } from "~/components/account/email-status";
import { DoneNotice } from "~/components/done-notice";
import { Button } from "~/components/ui/button";
import { Card } from "~/components/ui/card";
import { Field, SelectField } from "~/components/ui/field";
import { PostForm } from "~/components/ui/post-form";
import { type FieldConstraints, serverForm } from "~/components/ui/server-form";
import { getEnv } from "~/env.server";
import { LOCALE_NAMES, LOCALES } from "~/i18n/locale";
import { translatorFor } from "~/i18n/messages.server";
import { OPTIONAL_EMAILS } from "~/models/emails/email-kinds";
import { listMutedEmails } from "~/models/emails/preferences.server";
import { requirePageUser } from "~/server/accounts/session.server";
import { limitForms } from "~/server/limits/limit-forms.server";
import { requireLocale } from "~/server/request/locale-param.server";
import { readForm } from "~/server/request/read-body.server";
import { profileSchema } from "~/services/auth/account-forms";
import { fieldConstraints } from "~/utils/field-constraints";
import { pageHeaders } from "~/utils/page-headers";
import { resendVerification, saveEmails, saveProfile } from "./$locale.account.profile.server";

export const headers = pageHeaders;

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
    muted: await listMutedEmails(user.id),
    done: new URL(request.url).searchParams.get("done"),
    constraint: fieldConstraints(profileSchema),
  };
}

const FIELDS = ["intent", "redirectTo", ...Object.keys(profileSchema.shape), ...OPTIONAL_EMAILS];

export async function action({ request, params }: ActionFunctionArgs) {
  const locale = requireLocale(params);
  const user = await requirePageUser(request, locale);
  await limitForms(user);
  const form = await readForm(request, FIELDS);
  const posted = { form, user, locale };
  switch (form.get("intent")) {
    case "verify":
      return resendVerification(posted);
    case "emails":
      return saveEmails(posted);
    default:
      return saveProfile(posted);
  }
}

export default function Profile() {
  const t = useTranslations();
  const { done, constraint, ...profile } = useLoaderData<typeof loader>();
  const result = useActionData<typeof action>()?.result;
  return (
    <AccountPage isNarrow title={t("profile.title")} lead={t("profile.lead")}>
      <DoneNotice
        done={done}
        texts={{
          saved: t("profile.saved"),
          emails: t("profile.emailsSaved"),
          email: t("changeEmail.done"),
          sent: profile.emailVerified ? null : t("profile.sent"),
        }}
      />
      <ProfileForm
        result={result}
        constraint={constraint}
        name={profile.name}
        language={profile.language}
      />
      <EmailStatus email={profile.email} verified={profile.emailVerified} mails={profile.mails} />
      {profile.mails ? <EmailPreferences muted={profile.muted} /> : null}
    </AccountPage>
  );
}

interface ProfileFormProps {
  result: SubmissionResult<string[]> | undefined;
  constraint: FieldConstraints;
  name: string;
  language: string;
}

function ProfileForm({ result, constraint, name, language }: ProfileFormProps) {
  const t = useTranslations();
  const { form, field } = serverForm<keyof z.input<typeof profileSchema>>({
    id: "profile",
    result,
    constraint,
    defaultValue: { name, locale: language },
  });
  return (
    <Card id="about" title={t("profile.about")}>
      <PostForm form={form}>
        <Field
          field={field("name")}
          label={t("profile.name")}
          hint={t("profile.nameHint")}
          autoComplete="name"
        />
        <SelectField
          field={field("locale")}
          label={t("profile.language")}
          hint={t("profile.languageHint")}
          options={LOCALES.map((locale) => ({
            value: locale,
            label: LOCALE_NAMES[locale],
            lang: locale,
          }))}
        />
        <Button name="intent" value="profile">
          {t("profile.submit")}
        </Button>
      </PostForm>
    </Card>
  );
}
