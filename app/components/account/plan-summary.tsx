import { useParams } from "@remix-run/react";
import { useTranslations } from "use-intl";
import { KeepPlan } from "~/components/billing/keep-plan";
import { PlanStatus } from "~/components/billing/plan-status";
import { useNextCreditsWords } from "~/components/billing/use-next-credits-words";
import { usePlanPrice } from "~/components/billing/use-plan-price";
import { usePlanSentence } from "~/components/billing/use-plan-sentence";
import { ButtonLink } from "~/components/ui/button";
import { Facts } from "~/components/ui/facts";
import { usePlanName } from "~/components/use-plan-name";
import type { ShownSubscription } from "~/models/billing/subscriptions/shown-subscription";

/** The plan in short, or the offer of one. */
export function PlanSummary({ plan }: { plan: ShownSubscription | null }) {
  const t = useTranslations();
  const { locale } = useParams();
  if (plan) return <CurrentPlan plan={plan} />;
  return (
    <section className="card dash-plan" aria-labelledby="plan">
      <div className="stack stack-2">
        <h2 id="plan" className="h24">
          {t("billing.noPlanTitle")}
        </h2>
        <p className="muted">{t("billing.noPlan")}</p>
      </div>
      <div className="row">
        <ButtonLink look="secondary" href={`/${locale}/pricing`}>
          {t("billing.seePlans")}
        </ButtonLink>
      </div>
    </section>
  );
}

function CurrentPlan({ plan }: { plan: ShownSubscription }) {
  const t = useTranslations();
  const { locale } = useParams();
  const planPrice = usePlanPrice();
  const next = useNextCreditsWords(plan.nextCredits);
  const sentence = usePlanSentence()(plan);
  const { id, planKey, period, amount, cancelAtPeriodEnd, changeable, keepable } = plan;
  return (
    <section className="card dash-plan" aria-labelledby="plan">
      <div className="card-head">
        <h2 id="plan" className="h24">
          {usePlanName()(planKey)}
        </h2>
        <PlanStatus subscription={plan} />
      </div>
      <p>{sentence}</p>
      <Facts
        facts={[
          { name: t("billing.nextCredits"), value: next },
          ...(amount === null || cancelAtPeriodEnd
            ? []
            : [{ name: t("billing.price"), value: planPrice({ period, amount }) }]),
        ]}
      />
      <div className="row">
        {keepable ? <KeepPlan plan={plan} /> : null}
        {changeable ? (
          <ButtonLink
            look="secondary"
            href={`/${locale}/account/billing/change?subscription=${id}`}
          >
            {t("billing.change")}
          </ButtonLink>
        ) : null}
        <ButtonLink look="quiet" href={`/${locale}/account/billing`}>
          {t("billing.title")}
        </ButtonLink>
      </div>
    </section>
  );
}
