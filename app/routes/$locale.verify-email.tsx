import { data, type LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { useTranslations } from "use-intl";
import { HeldAccountForm } from "~/components/account/held-account-form";
import { Button, ButtonLink } from "~/components/button";
import { Page } from "~/components/page";
import { translatorFor } from "~/i18n/messages.server";
import { requireLocale } from "~/server/locale-param.server";
import { pageAction } from "~/server/page-action.server";
import { getUser } from "~/server/session.server";
import { secretLinkMeta } from "~/utils/page-meta";
import {
  followLink,
  LINK_STATUS,
  type LinkState,
  linkStateOf,
  verifyEmailPath,
} from "./$locale.verify-email.server";

export const meta = secretLinkMeta;

const tokenOf = (request: Request) => new URL(request.url).searchParams.get("token") ?? "";

/**
 * The link of a verification email. Opening it changes nothing, so a mail scanner can't verify the
 * address: only the page's button in the account's own session does.
 */
export async function loader({ request, params }: LoaderFunctionArgs) {
  const locale = requireLocale(params);
  const user = await getUser(request);
  const token = tokenOf(request);
  const state = await linkStateOf(token, user);
  const t = translatorFor(locale);
  const titles: Record<LinkState, string> = {
    ready: t("verifyEmail.readyTitle"),
    held: t("verifyEmail.readyTitle"),
    sign_in: t("verifyEmail.signInTitle"),
    other_account: t("verifyEmail.otherTitle"),
    verified: t("verifyEmail.title"),
    invalid: t("verifyEmail.invalidTitle"),
  };
  return data(
    {
      title: titles[state],
      locale,
      state,
      email: user?.email ?? "",
      comeBack: new URLSearchParams({ redirectTo: verifyEmailPath(locale, token) }).toString(),
    },
    { status: LINK_STATUS[state] },
  );
}

export const action = pageAction(async ({ request, params, context: { clientAddress } }) => {
  const locale = requireLocale(params);
  const user = await getUser(request);
  return followLink({ request, token: tokenOf(request), user, locale, clientAddress });
});

export default function VerifyEmail() {
  const t = useTranslations();
  const { title, locale, state, email, comeBack } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  switch (state) {
    case "ready":
      return (
        <Page title={title} lead={t("verifyEmail.readyLead", { email })}>
          <form method="post">
            <Button>{t("verifyEmail.submit")}</Button>
          </form>
        </Page>
      );
    case "held":
      return (
        <Page title={title} lead={t("verifyEmail.heldLead")}>
          <HeldAccountForm result={answer?.result} />
          <p>
            <a href={`/${locale}/forgot-password`} className="text-accent underline">
              {t("signIn.forgot")}
            </a>
          </p>
        </Page>
      );
    case "sign_in":
      return (
        <Page title={title} lead={t("verifyEmail.signInLead")}>
          <p>
            <ButtonLink href={`/${locale}/sign-in?${comeBack}`}>{t("nav.signIn")}</ButtonLink>
          </p>
        </Page>
      );
    case "other_account":
      return (
        <Page title={title} lead={t("verifyEmail.otherLead", { email })}>
          <form method="post" action={`/${locale}/sign-out?${comeBack}`}>
            <Button>{t("verifyEmail.signOut")}</Button>
          </form>
        </Page>
      );
    case "verified":
      return (
        <Page title={title} lead={t("verifyEmail.lead")}>
          <p>
            <ButtonLink href={`/${locale}/account`}>{t("verifyEmail.openAccount")}</ButtonLink>
          </p>
        </Page>
      );
    case "invalid":
      return (
        <Page title={title} lead={t("verifyEmail.invalidLead")}>
          <p>
            <ButtonLink href={`/${locale}/account/profile`}>{t("verifyEmail.again")}</ButtonLink>
          </p>
        </Page>
      );
  }
}
