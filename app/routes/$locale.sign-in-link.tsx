import { type ActionFunctionArgs, data, type LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { useTranslations } from "use-intl";
import { EmailLinkForm } from "~/components/account/email-link-form";
import { EmailLinkPage } from "~/components/account/email-link-page";
import { EmailLinkSent } from "~/components/account/email-link-sent";
import { NarrowPage } from "~/components/narrow-page";
import { StatePage } from "~/components/state-page";
import { WriteToUs } from "~/components/support/write-to-us";
import { Button, ButtonLink } from "~/components/ui/button";
import { Notice } from "~/components/ui/notice";
import { getEnv } from "~/env.server";
import { translatorFor } from "~/i18n/messages.server";
import { findSignInLink } from "~/models/accounts/sign-in-links.server";
import { readMailedTo } from "~/server/accounts/mailed-to-cookie.server";
import { requireLocale } from "~/server/request/locale-param.server";
import { ERROR_STATUS } from "~/utils/error-codes";
import { pageHeaders } from "~/utils/page-headers";
import { secretLinkMeta } from "~/utils/page-meta";
import { wayBackOf } from "~/utils/way-back";
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
  const sent = searchParams.has("sent");
  return data(
    {
      title: translatorFor(locale)(isInvalid ? "signInLink.invalidTitle" : "signInLink.title"),
      locale,
      state: isInvalid ? ("invalid" as const) : account ? ("ready" as const) : ("ask" as const),
      account: account && { email: account.email, verified: account.emailVerified },
      mails: getEnv().email !== null,
      sent,
      mailedTo: sent ? await readMailedTo(request) : null,
      redirectTo: wayBackOf(request),
    },
    { status: isInvalid ? ERROR_STATUS.invalid_link : 200 },
  );
}

export async function action({ request, params, context: { clientAddress } }: ActionFunctionArgs) {
  const locale = requireLocale(params);
  const token = new URL(request.url).searchParams.get("token");
  return token === null
    ? requestFromForm(request, { locale, clientAddress })
    : enterFromLink(request, { token, locale, clientAddress });
}

export default function SignInLink() {
  const t = useTranslations();
  const { locale, state, account, title, mails, sent, mailedTo, redirectTo } =
    useLoaderData<typeof loader>();
  const response = useActionData<typeof action>();
  if (state === "invalid")
    return (
      <StatePage art="expired-link" title={title} lead={t("signInLink.invalidLead")}>
        <ButtonLink href={`/${locale}/sign-in-link`}>{t("signInLink.again")}</ButtonLink>
      </StatePage>
    );
  if (account) return <EnterForm title={title} account={account} refused={Boolean(response)} />;
  if (sent && !response)
    return (
      <EmailLinkSent
        email={mailedTo}
        lead={mailedTo ? t("signInLink.sentTo", { email: mailedTo }) : t("signInLink.sent")}
        formPath={`/${locale}/sign-in-link`}
        redirectTo={redirectTo}
      />
    );
  return (
    <EmailLinkPage
      title={title}
      lead={t("signInLink.lead")}
      locale={locale}
      offText={mails ? null : t("validation.emailUnavailable")}
    >
      <EmailLinkForm
        id="sign-in-link"
        result={response?.result}
        submitLabel={t("signInLink.submit")}
      >
        {redirectTo ? <input type="hidden" name="redirectTo" value={redirectTo} /> : null}
      </EmailLinkForm>
    </EmailLinkPage>
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
    <NarrowPage title={title} lead={t("signInLink.readyLead", { email: account.email })}>
      <form method="post" className="stack">
        {refused ? (
          <Notice tone="bad">
            {t("validation.accountDisabled")} <WriteToUs />
          </Notice>
        ) : null}
        {account.verified ? null : <Notice tone="warn">{t("signInLink.claims")}</Notice>}
        <Button size="large" wide>
          {t("signInLink.enter")}
        </Button>
      </form>
    </NarrowPage>
  );
}
