import type { SubmissionResult } from "@conform-to/dom";
import { data, type LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { useTranslations } from "use-intl";
import { Button, ButtonLink } from "~/components/button";
import { DoneNotice } from "~/components/done-notice";
import { Field } from "~/components/field";
import { FormErrors } from "~/components/form-errors";
import { Notice } from "~/components/notice";
import { Page } from "~/components/page";
import { formAttributes, serverForm } from "~/components/server-form";
import { getEnv } from "~/env.server";
import { translatorFor } from "~/i18n/messages.server";
import { findSignInLink } from "~/models/accounts/sign-in-links.server";
import { requireLocale } from "~/server/locale-param.server";
import { pageAction } from "~/server/page-action.server";
import { ERROR_STATUS } from "~/utils/error-codes";
import { pageHeaders } from "~/utils/page-headers";
import { secretLinkMeta } from "~/utils/page-meta";
import { enterFromLink, requestFromForm } from "./$locale.sign-in-link.server";

export const meta = secretLinkMeta;
export const headers = pageHeaders;

/**
 * Without a token, the form that asks for a link. With one, the link's page: opening it changes nothing,
 * so that a mail scanner doesn't use it up.
 */
export async function loader({ request, params }: LoaderFunctionArgs) {
  const locale = requireLocale(params);
  const { searchParams } = new URL(request.url);
  const token = searchParams.get("token");
  const account = token === null ? null : await findSignInLink(token);
  const isInvalid = token !== null && !account;
  return data(
    {
      title: translatorFor(locale)(isInvalid ? "signInLink.invalidTitle" : "signInLink.title"),
      locale,
      state: isInvalid ? ("invalid" as const) : account ? ("ready" as const) : ("ask" as const),
      account: account && { email: account.email, verified: account.emailVerified },
      mails: getEnv().email !== null,
      sent: searchParams.has("sent"),
      redirectTo: searchParams.get("redirectTo") ?? undefined,
    },
    { status: isInvalid ? ERROR_STATUS.invalid_link : 200 },
  );
}

export const action = pageAction(async ({ request, params, context: { clientAddress } }) => {
  const locale = requireLocale(params);
  const token = new URL(request.url).searchParams.get("token");
  return token === null
    ? requestFromForm(request, { locale, clientAddress })
    : enterFromLink(request, { token, locale });
});

export default function SignInLink() {
  const t = useTranslations();
  const { locale, state, account, title, mails, sent, redirectTo } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  if (state === "invalid")
    return (
      <Page title={title} lead={t("signInLink.invalidLead")}>
        <p>
          <ButtonLink href={`/${locale}/sign-in-link`}>{t("signInLink.again")}</ButtonLink>
        </p>
      </Page>
    );
  if (account) return <EnterForm title={title} account={account} refused={Boolean(answer)} />;
  return (
    <Page title={title} lead={t("signInLink.lead")}>
      <DoneNotice done={sent ? "sent" : null} texts={{ sent: t("signInLink.sent") }} />
      {mails ? (
        <RequestForm result={answer?.result} redirectTo={redirectTo} />
      ) : (
        <div className="max-w-text">
          <Notice tone="warning">{t("validation.emailUnavailable")}</Notice>
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

interface EnterFormProps {
  title: string;
  account: { email: string; verified: boolean };
  refused: boolean;
}

function EnterForm({ title, account, refused }: EnterFormProps) {
  const t = useTranslations();
  return (
    <Page title={title} lead={t("signInLink.readyLead", { email: account.email })}>
      <form method="post" className="grid max-w-form gap-5">
        {refused ? <Notice tone="danger">{t("validation.accountDisabled")}</Notice> : null}
        {account.verified ? null : <Notice tone="warning">{t("signInLink.claims")}</Notice>}
        <Button>{t("signInLink.enter")}</Button>
      </form>
    </Page>
  );
}

interface RequestFormProps {
  result: SubmissionResult<string[]> | undefined;
  redirectTo: string | undefined;
}

function RequestForm({ result, redirectTo }: RequestFormProps) {
  const t = useTranslations();
  const { form, field } = serverForm<"email" | "redirectTo">({
    id: "sign-in-link",
    result,
  });
  return (
    <form method="post" {...formAttributes(form)} className="grid max-w-form gap-5">
      <FormErrors form={form} />
      <Field field={field("email")} label={t("auth.email")} type="email" autoComplete="email" />
      {redirectTo ? <input type="hidden" name="redirectTo" value={redirectTo} /> : null}
      <Button>{t("signInLink.submit")}</Button>
    </form>
  );
}
