import type { LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { useFormatter, useTranslations } from "use-intl";
import { AccountPage } from "~/components/account/account-page";
import { BalanceCard } from "~/components/account/balance-card";
import { LatestMovements } from "~/components/account/latest-movements";
import { NextStepCard } from "~/components/account/next-step-card";
import { PlanSummary } from "~/components/account/plan-summary";
import { UtcNote } from "~/components/account/utc-note";
import { DailyUseChart } from "~/components/charts/daily-use-chart";
import { getEnv } from "~/env.server";
import { translatorFor } from "~/i18n/messages.server";
import { nextStep } from "~/models/accounts/next-step";
import { getOverview } from "~/models/accounts/overview.server";
import { mainAction } from "~/models/actions/registry.server";
import { listRunningSubscriptions } from "~/models/billing/subscriptions/management.server";
import { showSubscription } from "~/models/billing/subscriptions/shown-subscription";
import { getHoldings } from "~/models/credits/holdings.server";
import { requirePageUser } from "~/server/accounts/session.server";
import { requireLocale } from "~/server/request/locale-param.server";

const CHART_DAYS = 30;
const LATEST = 5;

export async function loader({ request, params }: LoaderFunctionArgs) {
  const locale = requireLocale(params);
  const { id: userId } = await requirePageUser(request, locale);
  const [holdings, running, { days, latest }] = await Promise.all([
    getHoldings(userId),
    listRunningSubscriptions(userId),
    getOverview({ userId, days: CHART_DAYS, latest: LATEST }),
  ]);
  const features = { action: mainAction(), payments: getEnv().payments.enabled };
  const now = new Date();
  const plan = running[0] ? showSubscription(running[0], now) : null;
  const used = days.reduce((sum, day) => sum + day.used, 0);
  const { balance, expiring } = holdings;
  const hasHistory = latest.some(({ type }) => type === "deduction") || used > 0;
  const isChangeable = plan?.changeable ?? false;
  return {
    title: translatorFor(locale)("account.title"),
    holdings,
    plan,
    days,
    latest,
    features,
    step: nextStep({
      balance,
      used,
      hasHistory,
      expiring,
      plan: plan && { ...plan, isChangeable },
      features,
      now,
    }),
  };
}

export default function Account() {
  const { holdings, plan, days, latest, features, step } = useLoaderData<typeof loader>();
  return (
    <AccountPage>
      <div className="dash">
        <BalanceCard holdings={holdings} features={features} isCalm={plan?.keepable ?? false} />
        {plan || features.payments ? <PlanSummary plan={plan} /> : null}
        {latest.length > 0 ? (
          <>
            <UseCard days={days} />
            <LatestMovements movements={latest} />
          </>
        ) : null}
        {step ? <NextStepCard step={step} subscriptionId={plan?.id ?? null} /> : null}
      </div>
      {latest.length > 0 ? <UtcNote /> : null}
    </AccountPage>
  );
}

function UseCard({ days }: Pick<Awaited<ReturnType<typeof getOverview>>, "days">) {
  const t = useTranslations();
  const format = useFormatter();
  const used = days.reduce((sum, day) => sum + day.used, 0);
  return (
    <section className="card dash-chart" aria-labelledby="use">
      <div className="stack stack-2">
        <h2 id="use" className="h-small">
          {t("account.lastDays", { days: days.length })}
        </h2>
        <p>
          <b className="big big-32">{format.number(used)}</b>{" "}
          <span className="muted">{t("account.creditsUsed", { count: used })}</span>
        </p>
      </div>
      <DailyUseChart days={days} />
    </section>
  );
}
