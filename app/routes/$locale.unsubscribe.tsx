import { data, type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { useTranslations } from "use-intl";
import { Button, ButtonLink } from "~/components/button";
import { Page } from "~/components/page";
import { translatorFor } from "~/i18n/messages.server";
import type { OptionalEmail } from "~/models/emails/email-kinds";
import { listMutedEmails, muteEmail } from "~/models/emails/preferences.server";
import { readUnsubscribeToken } from "~/models/mailing/unsubscribe-token.server";
import { requireLocale } from "~/server/locale-param.server";
import { pageAction } from "~/server/page-action.server";
import { ERROR_STATUS } from "~/utils/error-codes";
import { secretLinkMeta } from "~/utils/page-meta";

export const meta = secretLinkMeta;

const tokenOf = (request: Request) => new URL(request.url).searchParams.get("token") ?? "";

/** The link in an email that may be turned off. It needs no session: its token can do nothing else. */
export async function loader({ request, params }: LoaderFunctionArgs) {
  const locale = requireLocale(params);
  const t = translatorFor(locale);
  const choice = readUnsubscribeToken(tokenOf(request));
  if (!choice) {
    const title = t("unsubscribe.invalidTitle");
    return data({ title, locale, kind: null, isOff: false }, { status: ERROR_STATUS.invalid_link });
  }
  const isOff = (await listMutedEmails(choice.userId)).includes(choice.kind);
  const title = isOff ? t("unsubscribe.doneTitle") : t("unsubscribe.title");
  return data({ title, locale, kind: choice.kind, isOff });
}

export const action = pageAction(async ({ request, params }) => {
  const locale = requireLocale(params);
  const token = tokenOf(request);
  const choice = readUnsubscribeToken(token);
  if (choice) await muteEmail(choice);
  return redirect(`/${locale}/unsubscribe?${new URLSearchParams({ token })}`, 303);
});

export default function Unsubscribe() {
  const t = useTranslations();
  const { title, locale, kind, isOff } = useLoaderData<typeof loader>();
  const effects: Record<OptionalEmail, string> = {
    receipt: t("unsubscribe.receipt"),
    subscription_ending: t("unsubscribe.ending"),
    credits_expiring: t("unsubscribe.expiring"),
  };
  if (kind !== null && !isOff) {
    return (
      <Page title={title} lead={effects[kind]}>
        <form method="post">
          <Button>{t("unsubscribe.submit")}</Button>
        </form>
      </Page>
    );
  }
  return (
    <Page title={title} lead={isOff ? t("unsubscribe.doneLead") : t("unsubscribe.invalidLead")}>
      <p>
        <ButtonLink href={`/${locale}/account/profile`}>{t("unsubscribe.profile")}</ButtonLink>
      </p>
    </Page>
  );
}
