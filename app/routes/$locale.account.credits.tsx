import type { LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { useTranslations } from "use-intl";
import { BalanceChart } from "~/components/credits/balance-chart";
import { CreditTable } from "~/components/credits/credit-table";
import { ExpiryNote } from "~/components/credits/expiry-note";
import { Page } from "~/components/page";
import { ButtonLink } from "~/components/ui/button";
import { getEnv } from "~/env.server";
import { translatorFor } from "~/i18n/messages.server";
import { getCredits } from "~/models/credits/balance.server";
import { listBalancePoints } from "~/models/credits/balance-series.server";
import { listTransactions } from "~/models/credits/transactions.server";
import { requireLocale } from "~/server/locale-param.server";
import { requirePageUser } from "~/server/session.server";

const CHART_DAYS = 90;

export async function loader({ request, params }: LoaderFunctionArgs) {
  const locale = requireLocale(params);
  const { id: userId } = await requirePageUser(request, locale);
  const cursor = new URL(request.url).searchParams.get("cursor");
  const [{ balance, expiring }, points, { transactions, nextCursor }] = await Promise.all([
    getCredits(userId),
    listBalancePoints({ userId, days: CHART_DAYS }),
    listTransactions({ userId, cursor }),
  ]);
  return {
    title: translatorFor(locale)("credits.title"),
    locale,
    balance,
    expiring,
    points,
    transactions,
    nextCursor,
    generator: getEnv().images.enabled,
  };
}

export default function Credits() {
  const t = useTranslations();
  const { locale, balance, expiring, points, transactions, nextCursor, generator } =
    useLoaderData<typeof loader>();
  return (
    <Page title={t("credits.title")} lead={t("credits.lead")}>
      <div className="grid gap-1">
        <p className="text-24 font-semibold">{t("credits.balance", { balance })}</p>
        <ExpiryNote expiring={expiring} />
      </div>
      {generator ? (
        <p>
          <ButtonLink href={`/${locale}/demo/image-generator`}>{t("credits.generate")}</ButtonLink>
        </p>
      ) : null}
      {transactions.length > 0 ? <BalanceChart points={points} days={CHART_DAYS} /> : null}
      <CreditTable rows={transactions} />
      {nextCursor ? (
        <p>
          <a href={`?cursor=${nextCursor}`} className="text-accent-ink underline">
            {t("credits.older")}
          </a>
        </p>
      ) : null}
    </Page>
  );
}
