import type { SubmissionResult } from "@conform-to/dom";
import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData, useParams } from "@remix-run/react";
import { useTranslations } from "use-intl";
import type { z } from "zod";
import { AccountPage } from "~/components/account/account-page";
import { Button, ButtonLink } from "~/components/ui/button";
import { Field } from "~/components/ui/field";
import { Notice } from "~/components/ui/notice";
import { PostForm } from "~/components/ui/post-form";
import { serverForm } from "~/components/ui/server-form";
import { Ticks } from "~/components/ui/ticks";
import { usePlanName } from "~/components/use-plan-name";
import { translatorFor } from "~/i18n/messages.server";
import { listRenewingSubscriptions } from "~/models/accounts/deletion.server";
import { getPasswordHash } from "~/models/accounts/passwords.server";
import { listOpenSubscriptions } from "~/models/billing/subscriptions/management.server";
import { getBalance } from "~/models/credits/balance.server";
import { requirePageUser } from "~/server/accounts/session.server";
import { requireFreshPage } from "~/server/accounts/step-up.server";
import { requireLocale } from "~/server/request/locale-param.server";
import type { deleteAccountSchema } from "~/services/auth/account-forms";
import { pageHeaders } from "~/utils/page-headers";
import { deleteFromForm } from "./$locale.account.delete.server";

export const headers = pageHeaders;

export async function loader({ request, params }: LoaderFunctionArgs) {
  const locale = requireLocale(params);
  const user = await requirePageUser(request, locale);
  // Asked before the page, so that nobody fills in its form in vain.
  await requireFreshPage(user, { locale, path: `/${locale}/account/delete` });
  const { id: userId, email } = user;
  const [balance, open, renewing, passwordHash] = await Promise.all([
    getBalance(userId),
    listOpenSubscriptions(userId),
    listRenewingSubscriptions(userId),
    getPasswordHash(userId),
  ]);
  return {
    title: translatorFor(locale)("deleteAccount.title"),
    email,
    balance,
    renewing: renewing.map(({ id, planKey }) => ({ id, planKey })),
    ending: open.length > renewing.length,
    hasPassword: passwordHash !== null,
  };
}

export async function action({ request, params }: ActionFunctionArgs) {
  const locale = requireLocale(params);
  return deleteFromForm(request, await requirePageUser(request, locale), locale);
}

export default function DeleteAccount() {
  const t = useTranslations();
  const planName = usePlanName();
  const { locale } = useParams();
  const { email, balance, renewing, ending, hasPassword } = useLoaderData<typeof loader>();
  const result = useActionData<typeof action>()?.result;
  return (
    <AccountPage
      isNarrow
      back={{ path: "/account/data", text: t("accountData.title") }}
      title={t("deleteAccount.title")}
      lead={t("deleteAccount.lead")}
    >
      <div className="card card-form wide-form">
        <Ticks
          look="lost"
          items={[
            { key: "signIn", text: t("deleteAccount.signIn", { email }) },
            { key: "credits", text: t("deleteAccount.credits", { balance }) },
            ...(ending ? [{ key: "ending", text: t("deleteAccount.ending") }] : []),
            { key: "files", text: t("deleteAccount.files") },
          ]}
        />
        <p className="small muted">{t("deleteAccount.kept")}</p>
        <p>
          <ButtonLink look="secondary" href={`/${locale}/account/export`}>
            {t("deleteAccount.export")}
          </ButtonLink>
        </p>
      </div>
      {renewing.length > 0 ? (
        <div className="stack max-w-text items-start">
          <Notice tone="warn">{t("deleteAccount.running")}</Notice>
          {renewing.map(({ id, planKey }) => (
            <ButtonLink key={id} href={`/${locale}/account/billing/cancel?subscription=${id}`}>
              {t("deleteAccount.cancelPlan", { plan: planName(planKey) })}
            </ButtonLink>
          ))}
        </div>
      ) : (
        <DeleteForm result={result} hasPassword={hasPassword} />
      )}
    </AccountPage>
  );
}

interface DeleteFormProps {
  result: SubmissionResult<string[]> | undefined;
  hasPassword: boolean;
}

function DeleteForm({ result, hasPassword }: DeleteFormProps) {
  const t = useTranslations();
  const { locale } = useParams();
  const { form, field } = serverForm<keyof z.input<typeof deleteAccountSchema>>({
    id: "delete-account",
    result,
  });
  return (
    <PostForm form={form}>
      {hasPassword ? (
        <Field
          field={field("currentPassword")}
          label={t("deleteAccount.password")}
          type="password"
          autoComplete="current-password"
        />
      ) : null}
      <div className="row">
        <Button look="danger">{t("deleteAccount.submit")}</Button>
        <ButtonLink look="secondary" href={`/${locale}/account/data`}>
          {t("deleteAccount.keep")}
        </ButtonLink>
      </div>
    </PostForm>
  );
}
