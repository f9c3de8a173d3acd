import { data, type LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { useTranslations } from "use-intl";
import { Button, ButtonLink } from "~/components/button";
import { Page } from "~/components/page";
import { translatorFor } from "~/i18n/messages.server";
import { requireLocale } from "~/server/locale-param.server";
import { pageAction } from "~/server/page-action.server";
import { getUser } from "~/server/session.server";
import { secretLinkMeta } from "~/utils/page-meta";
import {
  CHANGE_LINK_STATUS,
  type ChangeLinkState,
  changeEmailPath,
  changeLinkFor,
  followChangeLink,
} from "./$locale.change-email.server";

export const meta = secretLinkMeta;

const tokenOf = (request: Request) => new URL(request.url).searchParams.get("token") ?? "";

/**
 * The link that confirms a new address. Opening it changes nothing, so a mail scanner can't: only the
 * page's button in the account's own session does.
 */
export async function loader({ request, params }: LoaderFunctionArgs) {
  const locale = requireLocale(params);
  const user = await getUser(request);
  const token = tokenOf(request);
  const { state, newEmail } = await changeLinkFor(token, user);
  const t = translatorFor(locale);
  const titles: Record<ChangeLinkState, string> = {
    ready: t("changeEmail.readyTitle"),
    sign_in: t("changeEmail.signInTitle"),
    other_account: t("changeEmail.otherTitle"),
    taken: t("changeEmail.takenTitle"),
    invalid: t("changeEmail.invalidTitle"),
  };
  const comeBack = new URLSearchParams({ redirectTo: changeEmailPath(locale, token) }).toString();
  return data(
    { title: titles[state], locale, state, newEmail, email: user?.email ?? "", comeBack },
    { status: CHANGE_LINK_STATUS[state] },
  );
}

export const action = pageAction(async ({ request, params }) => {
  const locale = requireLocale(params);
  return followChangeLink({ token: tokenOf(request), user: await getUser(request), locale });
});

export default function ChangeEmail() {
  const t = useTranslations();
  const { title, locale, state, newEmail, email, comeBack } = useLoaderData<typeof loader>();
  switch (state) {
    case "ready":
      return (
        <Page title={title} lead={t("changeEmail.readyLead", { email: newEmail })}>
          <form method="post">
            <Button>{t("changeEmail.confirm")}</Button>
          </form>
        </Page>
      );
    case "sign_in":
      return (
        <Page title={title} lead={t("changeEmail.signInLead")}>
          <p>
            <ButtonLink href={`/${locale}/sign-in?${comeBack}`}>{t("nav.signIn")}</ButtonLink>
          </p>
        </Page>
      );
    case "other_account":
      return (
        <Page title={title} lead={t("changeEmail.otherLead", { email })}>
          <form method="post" action={`/${locale}/sign-out?${comeBack}`}>
            <Button>{t("changeEmail.signOut")}</Button>
          </form>
        </Page>
      );
    case "taken":
      return (
        <Page title={title} lead={t("changeEmail.takenLead")}>
          <p>
            <ButtonLink href={`/${locale}/account/email`}>{t("changeEmail.again")}</ButtonLink>
          </p>
        </Page>
      );
    case "invalid":
      return (
        <Page title={title} lead={t("changeEmail.invalidLead")}>
          <p>
            <ButtonLink href={`/${locale}/account/email`}>{t("changeEmail.again")}</ButtonLink>
          </p>
        </Page>
      );
  }
}
