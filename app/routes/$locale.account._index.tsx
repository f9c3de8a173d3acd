import type { LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { useTranslations } from "use-intl";
import { AccountNav } from "~/components/account/account-nav";
import { ExpiryNote } from "~/components/credits/expiry-note";
import { NextCreditsNote } from "~/components/credits/next-credits-note";
import { Page } from "~/components/page";
import { getEnv } from "~/env.server";
import { translatorFor } from "~/i18n/messages.server";
import { listRunningSubscriptions } from "~/models/billing/subscriptions/management.server";
import { soonestCredits } from "~/models/billing/subscriptions/next-credits";
import { getCredits } from "~/models/credits/balance.server";
import { requireLocale } from "~/server/locale-param.server";
import { requirePageUser } from "~/server/session.server";

const LINK = "inline-flex min-h-6 items-center text-accent-ink underline";

export async function loader({ request, params }: LoaderFunctionArgs) {
  const locale = requireLocale(params);
  const { id: userId, email } = await requirePageUser(request, locale);
  const [{ balance, expiring }, running] = await Promise.all([
    getCredits(userId),
    listRunningSubscriptions(userId),
  ]);
  return {
    title: translatorFor(locale)("account.title"),
    locale,
    email,
    balance,
    expiring,
    next: soonestCredits(running, new Date()),
    payments: getEnv().payments.enabled,
  };
}

export default function Account() {
  const t = useTranslations();
  const { locale, email, balance, expiring, next, payments } = useLoaderData<typeof loader>();
  return (
    <Page title={t("account.title")} lead={t("account.lead")}>
      <AccountNav />
      <dl className="grid max-w-text gap-6">
        <div className="grid gap-1">
          <dt className="text-14 text-ink-2">{t("account.email")}</dt>
          <dd className="wrap-anywhere">{email}</dd>
        </div>
        <div className="grid gap-1">
          <dt className="text-14 text-ink-2">{t("account.credits")}</dt>
          <dd className="grid gap-1">
            <p>{t("credits.balance", { balance })}</p>
            <ExpiryNote expiring={expiring} />
            {payments || next ? <NextCreditsNote next={next} /> : null}
            <p className="flex flex-wrap gap-x-4 gap-y-1">
              <a href={`/${locale}/account/credits`} className={LINK}>
                {t("account.openCredits")}
              </a>
              {payments ? (
                <a href={`/${locale}/pricing`} className={LINK}>
                  {t("account.seePricing")}
                </a>
              ) : null}
            </p>
          </dd>
        </div>
        <div className="grid gap-1">
          <dt className="text-14 text-ink-2">{t("billing.title")}</dt>
          <dd>
            <a href={`/${locale}/account/billing`} className={LINK}>
              {t("account.openBilling")}
            </a>
          </dd>
        </div>
      </dl>
    </Page>
  );
}
