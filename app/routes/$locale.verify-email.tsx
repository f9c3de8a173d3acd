import { type ActionFunctionArgs, data, type LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { useTranslations } from "use-intl";
import { HeldAccountForm } from "~/components/account/held-account-form";
import { OwnerOnly } from "~/components/account/owner-only";
import { NarrowPage } from "~/components/narrow-page";
import { StatePage } from "~/components/state-page";
import { Button, ButtonLink } from "~/components/ui/button";
import { translatorFor } from "~/i18n/messages.server";
import { passOn } from "~/server/accounts/arrival.server";
import { linkTokenOf } from "~/server/accounts/link-token.server";
import { getUser } from "~/server/accounts/session.server";
import { requireLocale } from "~/server/request/locale-param.server";
import { pageHeaders } from "~/utils/page-headers";
import { secretLinkMeta } from "~/utils/page-meta";
import { wayBackOf } from "~/utils/way-back";
import {
  followLink,
  LINK_STATUS,
  type LinkState,
  linkStateOf,
  verifyEmailPath,
} from "./$locale.verify-email.server";

export const meta = secretLinkMeta;
export const headers = pageHeaders;

/**
 * The link of a verification email. Opening it changes nothing, so a mail scanner can't verify the
 * address: only the page's button in the account's own session does.
 */
export async function loader({ request, params }: LoaderFunctionArgs) {
  const locale = requireLocale(params);
  const user = await getUser(request);
  const token = linkTokenOf(request);
  const redirectTo = wayBackOf(request);
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
      comeBack: new URLSearchParams({
        redirectTo: verifyEmailPath(locale, { token, redirectTo }),
      }).toString(),
      next: user ? await passOn({ userId: user.id, locale, redirectTo }) : `/${locale}`,
    },
    { status: LINK_STATUS[state] },
  );
}

export async function action({ request, params, context: { clientAddress } }: ActionFunctionArgs) {
  const locale = requireLocale(params);
  const user = await getUser(request);
  return followLink({ request, token: linkTokenOf(request), user, locale, clientAddress });
}

export default function VerifyEmail() {
  const t = useTranslations();
  const { title, locale, state, email, comeBack, next } = useLoaderData<typeof loader>();
  const response = useActionData<typeof action>();
  switch (state) {
    case "ready":
      return (
        <NarrowPage title={title} lead={t("verifyEmail.readyLead", { email })}>
          <form method="post">
            <Button size="large" wide>
              {t("verifyEmail.submit")}
            </Button>
          </form>
        </NarrowPage>
      );
    case "held":
      return (
        <NarrowPage
          title={title}
          lead={t("verifyEmail.heldLead")}
          after={
            <p className="center">
              <a href={`/${locale}/forgot-password`} className="link-24">
                {t("signIn.forgot")}
              </a>
            </p>
          }
        >
          <HeldAccountForm result={response?.result} />
        </NarrowPage>
      );
    case "sign_in":
      return (
        <OwnerOnly
          state={state}
          title={title}
          lead={t("verifyEmail.signInLead")}
          comeBack={comeBack}
        />
      );
    case "other_account":
      return (
        <OwnerOnly
          state={state}
          title={title}
          lead={t("verifyEmail.otherLead", { email })}
          comeBack={comeBack}
        />
      );
    case "verified":
      return (
        <StatePage art="email-done" title={title} lead={t("verifyEmail.lead")}>
          <ButtonLink href={next}>{t("verifyEmail.goOn")}</ButtonLink>
        </StatePage>
      );
    case "invalid":
      return (
        <StatePage art="expired-link" title={title} lead={t("verifyEmail.invalidLead")}>
          <ButtonLink href={`/${locale}/account/profile`}>{t("verifyEmail.again")}</ButtonLink>
        </StatePage>
      );
  }
}
