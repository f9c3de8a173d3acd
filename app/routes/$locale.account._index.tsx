import type { LoaderFunctionArgs } from "@remix-run/node";
import { Link, useLoaderData } from "@remix-run/react";
import { useTranslations } from "use-intl";
import { ExpiryNote } from "~/components/credits/expiry-note";
import { Page } from "~/components/page";
import { translatorFor } from "~/i18n/messages.server";
import { getBalance, getExpiring } from "~/models/credit-balance.server";
import { requireLocale } from "~/server/locale-param.server";
import { requirePageUser } from "~/server/session.server";
import { pageMeta } from "~/utils/page-meta";

export const meta = pageMeta;

export async function loader({ request, params }: LoaderFunctionArgs) {
  const locale = requireLocale(params);
  const { id: userId, email } = await requirePageUser(request, locale);
  const [balance, expiring] = await Promise.all([getBalance(userId), getExpiring(userId)]);
  return { title: translatorFor(locale)("account.title"), locale, email, balance, expiring };
}

export default function Account() {
  const t = useTranslations();
  const { locale, email, balance, expiring } = useLoaderData<typeof loader>();
  return (
    <Page title={t("account.title")} lead={t("account.lead")}>
      <dl className="grid max-w-text gap-6">
        <div className="grid gap-1">
          <dt className="text-sm text-ink-muted">{t("account.email")}</dt>
          <dd className="wrap-anywhere">{email}</dd>
        </div>
        <div className="grid gap-1">
          <dt className="text-sm text-ink-muted">{t("account.credits")}</dt>
          <dd className="grid gap-1">
            <p>{t("credits.balance", { balance })}</p>
            <ExpiryNote expiring={expiring} />
            <p>
              <Link to={`/${locale}/account/credits`} className="text-accent underline">
                {t("account.openCredits")}
              </Link>
            </p>
          </dd>
        </div>
      </dl>
    </Page>
  );
}
