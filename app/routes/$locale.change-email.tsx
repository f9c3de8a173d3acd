import { type ActionFunctionArgs, data, type LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { useTranslations } from "use-intl";
import { OwnerOnly } from "~/components/account/owner-only";
import { NarrowPage } from "~/components/narrow-page";
import { StatePage } from "~/components/state-page";
import { Button, ButtonLink } from "~/components/ui/button";
import { translatorFor } from "~/i18n/messages.server";
import { linkTokenOf } from "~/server/link-token.server";
import { requireLocale } from "~/server/locale-param.server";
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

/**
 * The link that confirms a new address. Opening it changes nothing, so a mail scanner can't: only the
 * page's button in the account's own session does.
 */
export async function loader({ request, params }: LoaderFunctionArgs) {
  const locale = requireLocale(params);
  const user = await getUser(request);
  const token = linkTokenOf(request);
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

export async function action({ request, params }: ActionFunctionArgs) {
  const locale = requireLocale(params);
  return followChangeLink({ token: linkTokenOf(request), user: await getUser(request), locale });
}

export default function ChangeEmail() {
  const t = useTranslations();
  const { title, locale, state, newEmail, email, comeBack } = useLoaderData<typeof loader>();
  switch (state) {
    case "ready":
      return (
        <NarrowPage title={title} lead={t("changeEmail.readyLead", { email: newEmail })}>
          <form method="post">
            <Button size="large" wide>
              {t("changeEmail.confirm")}
            </Button>
          </form>
        </NarrowPage>
      );
    case "sign_in":
      return (
        <OwnerOnly
          state={state}
          title={title}
          lead={t("changeEmail.signInLead")}
          comeBack={comeBack}
        />
      );
    case "other_account":
      return (
        <OwnerOnly
          state={state}
          title={title}
          lead={t("changeEmail.otherLead", { email })}
          comeBack={comeBack}
        />
      );
    case "taken":
    case "invalid":
      return (
        <StatePage
          art="expired-link"
          title={title}
          lead={state === "taken" ? t("changeEmail.takenLead") : t("changeEmail.invalidLead")}
        >
          <ButtonLink href={`/${locale}/account/email`}>{t("changeEmail.again")}</ButtonLink>
        </StatePage>
      );
  }
}
