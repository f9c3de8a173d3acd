import { type ActionFunctionArgs, data, type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { useTranslations } from "use-intl";
import { NarrowPage } from "~/components/narrow-page";
import { StatePage } from "~/components/state-page";
import { Button, ButtonLink } from "~/components/ui/button";
import { translatorFor } from "~/i18n/messages.server";
import { readUnsubscribeToken } from "~/models/email-delivery/unsubscribe-token.server";
import type { OptionalEmail } from "~/models/emails/email-kinds";
import { listMutedEmails, muteEmail } from "~/models/emails/preferences.server";
import { linkTokenOf } from "~/server/accounts/link-token.server";
import { enforceRateLimit } from "~/server/limits/enforce-rate-limit.server";
import { limitRule } from "~/server/limits/rate-limit-rules";
import { requireLocale } from "~/server/request/locale-param.server";
import { ERROR_STATUS } from "~/utils/error-codes";
import { secretLinkMeta } from "~/utils/page-meta";

export const meta = secretLinkMeta;

/** The link in an email that may be turned off. It needs no session: its token can do nothing else. */
export async function loader({ request, params }: LoaderFunctionArgs) {
  const locale = requireLocale(params);
  const t = translatorFor(locale);
  const choice = readUnsubscribeToken(linkTokenOf(request));
  if (!choice) {
    const title = t("unsubscribe.invalidTitle");
    return data({ title, locale, kind: null, isOff: false }, { status: ERROR_STATUS.invalid_link });
  }
  const isOff = (await listMutedEmails(choice.userId)).includes(choice.kind);
  const title = isOff ? t("unsubscribe.doneTitle") : t("unsubscribe.title");
  return data({ title, locale, kind: choice.kind, isOff });
}

export async function action({ request, params }: ActionFunctionArgs) {
  const locale = requireLocale(params);
  const token = linkTokenOf(request);
  const choice = readUnsubscribeToken(token);
  if (choice) {
    await enforceRateLimit(limitRule("unsubscribe-user", choice.userId));
    await muteEmail(choice);
  }
  return redirect(`/${locale}/unsubscribe?${new URLSearchParams({ token })}`, 303);
}

export default function Unsubscribe() {
  const t = useTranslations();
  const { title, locale, kind, isOff } = useLoaderData<typeof loader>();
  const effects: Record<OptionalEmail, string> = {
    receipt: t("unsubscribe.receipt"),
    subscription_ending: t("unsubscribe.ending"),
    credits_expiring: t("unsubscribe.expiring"),
    low_balance: t("unsubscribe.low"),
    monthly_limit: t("unsubscribe.limit"),
  };
  if (kind !== null && !isOff) {
    return (
      <NarrowPage title={title} lead={effects[kind]}>
        <form method="post">
          <Button size="large" wide>
            {t("unsubscribe.submit")}
          </Button>
        </form>
      </NarrowPage>
    );
  }
  return (
    <StatePage
      art={isOff ? "email-done" : "expired-link"}
      title={title}
      lead={isOff ? t("unsubscribe.doneLead") : t("unsubscribe.invalidLead")}
    >
      <ButtonLink href={`/${locale}/account/profile`}>{t("unsubscribe.profile")}</ButtonLink>
    </StatePage>
  );
}
