import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { useTranslations } from "use-intl";
import { findPlan } from "~/catalog";
import { AccountPage } from "~/components/account/account-page";
import { KeepPlan } from "~/components/billing/keep-plan";
import { usePlanSentence } from "~/components/billing/use-plan-sentence";
import { PaymentRefusal } from "~/components/payments/payment-refusal";
import { Button, ButtonLink } from "~/components/ui/button";
import { Notice } from "~/components/ui/notice";
import { Ticks } from "~/components/ui/ticks";
import { useDay } from "~/components/use-day";
import { usePlanName } from "~/components/use-plan-name";
import { translatorFor } from "~/i18n/messages.server";
import { cancelSubscription } from "~/models/billing/cancellations/cancellations.server";
import { endsAtOnce } from "~/models/billing/subscriptions/ends-at-once";
import { getOpenSubscription } from "~/models/billing/subscriptions/management.server";
import { showSubscription } from "~/models/billing/subscriptions/shown-subscription";
import { getHoldings } from "~/models/credits/holdings.server";
import { requirePageUser } from "~/server/accounts/session.server";
import { limitCancellations, noSubscription } from "~/server/payments/payments.server";
import { formRefused } from "~/server/request/form-refused.server";
import { requireLocale } from "~/server/request/locale-param.server";
import { getPaymentProvider } from "~/services/payments/get-payment-provider.server";
import { pageHeaders } from "~/utils/page-headers";

export const headers = pageHeaders;

/**
 * Returns the subscription's id from the request. "The running one" would be ambiguous: there may
 * be two.
 */
function subscriptionIdOf(request: Request): string {
  return new URL(request.url).searchParams.get("subscription") ?? "";
}

export async function loader({ request, params }: LoaderFunctionArgs) {
  const locale = requireLocale(params);
  const { id: userId } = await requirePageUser(request, locale);
  const [subscription, holdings] = await Promise.all([
    getOpenSubscription(userId, undefined, subscriptionIdOf(request)),
    getHoldings(userId),
  ]);
  if (!subscription) throw new Response(null, { status: 404 });
  const { planKey, period, status, currentPeriodEnd, cancelAtPeriodEnd } = subscription;
  const plan = showSubscription(subscription, new Date());
  const title = translatorFor(locale)("cancelPlan.title");
  return {
    title,
    locale,
    shown: plan,
    planKey,
    period,
    holdings,
    periodEnd: currentPeriodEnd,
    cancelAtPeriodEnd,
    owes: status === "past_due" || status === "unpaid",
    atOnce: endsAtOnce(subscription),
  };
}

export async function action({ request, params }: ActionFunctionArgs) {
  const locale = requireLocale(params);
  const { id: userId } = await requirePageUser(request, locale);
  const subscriptionId = subscriptionIdOf(request);
  try {
    await limitCancellations(userId);
    const result = await cancelSubscription({ userId, subscriptionId }, getPaymentProvider);
    if (result.status === "not_found") throw noSubscription();
    const done = result.status === "ended" ? "ended" : "canceled";
    return redirect(`/${locale}/account/billing?done=${done}`, 303);
  } catch (error) {
    return formRefused({ error });
  }
}

export default function CancelPlan() {
  const t = useTranslations();
  const day = useDay();
  const planName = usePlanName();
  const sentence = usePlanSentence();
  const { locale, shown, planKey, periodEnd, cancelAtPeriodEnd, owes, atOnce } =
    useLoaderData<typeof loader>();
  const refusal = useActionData<typeof action>()?.refusal;
  const plan = planName(planKey);
  const date = periodEnd && day(periodEnd);
  const billing = `/${locale}/account/billing`;
  const back = { path: "/account/billing", text: t("billing.title") };
  if (cancelAtPeriodEnd && !atOnce) {
    return (
      <AccountPage back={back} title={t("cancelPlan.done")} lead={sentence(shown)}>
        <PaymentRefusal refusal={refusal} />
        <div className="row">
          <KeepPlan plan={shown} />
          <ButtonLink look="secondary" href={billing}>
            {t("cancelPlan.back")}
          </ButtonLink>
        </div>
      </AccountPage>
    );
  }
  const laterLead = date ? t("cancelPlan.lead", { date }) : t("cancelPlan.leadLater");
  return (
    <AccountPage
      back={back}
      title={t("cancelPlan.title", { plan })}
      lead={atOnce ? t("cancelPlan.leadNow") : laterLead}
    >
      <PaymentRefusal refusal={refusal} />
      <form method="post" className="cancel">
        {owes ? <Notice tone="warn">{t("cancelPlan.open")}</Notice> : null}
        {shown.planned ? (
          <Notice tone="info">
            {t("cancelPlan.dropsChange", { plan: planName(shown.planned.planKey) })}
          </Notice>
        ) : null}
        <KeepAndLose />
        <div className="row row-fill">
          <Button look="danger" size="large">
            {date && !atOnce ? t("cancelPlan.submit", { date }) : t("cancelPlan.submitNow")}
          </Button>
          <ButtonLink look="secondary" size="large" href={billing}>
            {t("cancelPlan.keep", { plan })}
          </ButtonLink>
        </div>
        <p className="small quiet">{atOnce ? t("cancelPlan.againNow") : t("cancelPlan.again")}</p>
      </form>
    </AccountPage>
  );
}

function KeepAndLose() {
  const t = useTranslations();
  const day = useDay();
  const { planKey, period, periodEnd, atOnce, holdings } = useLoaderData<typeof loader>();
  const { lasting, expiring } = holdings;
  const credits = findPlan(planKey)?.creditsPerMonth;
  const keep = [
    ...(lasting > 0
      ? [{ key: "lasting", text: t("cancelPlan.keepLasting", { count: lasting }) }]
      : []),
    ...(expiring
      ? [
          {
            key: "expiring",
            text: t("cancelPlan.keepMonthly", { count: expiring.amount, date: day(expiring.at) }),
          },
        ]
      : []),
    ...(period === "year" && !atOnce ? [{ key: "due", text: t("cancelPlan.keepDue") }] : []),
    { key: "files", text: t("cancelPlan.keepFiles") },
  ];
  const lose = [
    ...(credits ? [{ key: "credits", text: t("cancelPlan.loseCredits", { count: credits }) }] : []),
    ...(periodEnd && expiring
      ? [{ key: "rest", text: t("cancelPlan.loseRest", { date: day(expiring.at) }) }]
      : []),
  ];
  return (
    <div className="card keep">
      <div>
        <h2 className="h-small">{t("cancelPlan.youKeep")}</h2>
        <Ticks items={keep} />
      </div>
      <div>
        <h2 className="h-small">{t("cancelPlan.youLose")}</h2>
        <Ticks items={lose} look="lost" />
      </div>
    </div>
  );
}
