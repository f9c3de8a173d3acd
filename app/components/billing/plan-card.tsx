import { useParams, useRouteLoaderData } from "@remix-run/react";
import { useTranslations } from "use-intl";
import { CURRENCY, findPlan } from "~/catalog";
import { KeepPlan } from "~/components/billing/keep-plan";
import { PaymentLines } from "~/components/billing/payment-lines";
import { PlanStatus } from "~/components/billing/plan-status";
import { UndoPlannedChange } from "~/components/billing/undo-planned-change";
import { usePlanSentence } from "~/components/billing/use-plan-sentence";
import type { FrameData } from "~/components/frame/frame-data";
import { WriteToUs } from "~/components/support/write-to-us";
import { ButtonLink } from "~/components/ui/button";
import { Coin } from "~/components/ui/coin";
import { useCreditWords } from "~/components/use-credit-words";
import { useMoney } from "~/components/use-money";
import { usePlanName } from "~/components/use-plan-name";
import type { ShownOutlook } from "~/models/billing/subscriptions/outlook.server";
import type { ShownSubscription } from "~/models/billing/subscriptions/shown-subscription";

/** A plan: its price, its credits, how it is paid, and the ways to change and to cancel it. */
export function PlanCard({
  subscription,
  outlook,
}: {
  subscription: ShownSubscription;
  outlook: ShownOutlook | null;
}) {
  const t = useTranslations();
  const money = useMoney();
  const sentence = usePlanSentence();
  const { locale } = useParams();
  const { bought } = useCreditWords();
  const [action] = useRouteLoaderData<FrameData>("routes/$locale")?.features.actions ?? [];
  const { id, provider, planKey, period, amount, planned } = subscription;
  const billing = `/${locale}/account/billing`;
  const goesOn = !subscription.cancelAtPeriodEnd && subscription.status !== "canceled";
  const credits = goesOn ? findPlan(planKey)?.creditsPerMonth : undefined;
  const headingId = `plan-${id}`;
  return (
    <section className="card plan-card" aria-labelledby={headingId}>
      <div className="card-head">
        <h2 id={headingId} className="h24">
          {usePlanName()(planKey)}
        </h2>
        <PlanStatus subscription={subscription} />
      </div>
      {amount === null || !goesOn ? null : (
        <p className="big">
          {money(amount, CURRENCY)}{" "}
          <small>{period === "month" ? t("billing.perMonth") : t("billing.perYear")}</small>
        </p>
      )}
      <p>
        {sentence(subscription)} {subscription.status === "unknown" ? <WriteToUs /> : null}
      </p>
      <ul className="ticks ticks-plain">
        {credits === undefined ? null : (
          <li>
            <Coin />
            <span>
              {action
                ? t("billing.brings", { credits, units: bought(action, credits) })
                : t("pricing.planCredits", { credits })}
            </span>
          </li>
        )}
        <PaymentLines provider={provider} outlook={outlook} />
      </ul>
      {planned ? <UndoPlannedChange subscriptionId={id} /> : null}
      {subscription.changeable || subscription.cancelable || subscription.keepable ? (
        <div className="row">
          {subscription.keepable ? <KeepPlan plan={subscription} /> : null}
          {subscription.changeable ? (
            <ButtonLink href={`${billing}/change?subscription=${id}`}>
              {t("billing.change")}
            </ButtonLink>
          ) : null}
          {subscription.cancelable ? (
            <ButtonLink look="danger-quiet" href={`${billing}/cancel?subscription=${id}`}>
              {t("billing.cancel")}
            </ButtonLink>
          ) : null}
        </div>
      ) : null}
    </section>
  );
}
