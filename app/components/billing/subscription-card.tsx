import { useParams } from "@remix-run/react";
import type { ReactNode } from "react";
import { useTranslations } from "use-intl";
import type { Period, PlanKey } from "~/catalog";
import { PlannedChange } from "~/components/billing/planned-change";
import { useNextCreditsWords } from "~/components/billing/use-next-credits-words";
import { usePlanPrice } from "~/components/billing/use-plan-price";
import { useStatusWords } from "~/components/billing/use-status-words";
import { usePlanName } from "~/components/use-plan-name";
import type { NextCredits } from "~/models/billing/subscriptions/next-credits";
import type { SubscriptionStatus } from "~/services/payments/billing-event";

/** A subscription as its page's loader returns it. */
export interface ShownSubscription {
  id: string;
  planKey: PlanKey;
  period: Period;
  /** Minor units per period; null if the plan is no longer in the catalog. */
  amount: number | null;
  status: SubscriptionStatus;
  cancelAtPeriodEnd: boolean;
  periodEnd: Date | null;
  endedAt: Date | null;
  nextCredits: NextCredits;
  /** The plan that begins when the current period ends; null if no change is planned. */
  planned: { planKey: PlanKey; period: Period } | null;
  changeable: boolean;
  /** Whether the subscription can still be cancelled. */
  cancelable: boolean;
}

export function SubscriptionCard({ subscription }: { subscription: ShownSubscription }) {
  const t = useTranslations();
  const { locale } = useParams();
  const planPrice = usePlanPrice();
  const { id, planKey, period, amount, planned, periodEnd, changeable, cancelable } = subscription;
  const status = useStatusWords(subscription);
  const next = useNextCreditsWords(subscription.nextCredits);
  return (
    <article className="grid gap-4 rounded-md border border-line p-4">
      <h3 className="text-lg font-semibold">{usePlanName()(planKey)}</h3>
      <dl className="grid gap-x-8 gap-y-4 sm:grid-cols-3">
        {amount === null ? null : (
          <Fact label={t("billing.price")}>{planPrice({ period, amount })}</Fact>
        )}
        <Fact label={t("billing.status")}>
          <span className="block font-medium">{status.name}</span>
          <span className="block text-ink-muted">{status.meaning}</span>
        </Fact>
        <Fact label={t("billing.nextCredits")}>{next}</Fact>
      </dl>
      {planned ? (
        <PlannedChange subscriptionId={id} planned={{ ...planned, at: periodEnd }} />
      ) : null}
      <p className="flex flex-wrap gap-x-6 empty:hidden">
        {changeable ? (
          <a
            href={`/${locale}/account/billing/change?subscription=${id}`}
            className="inline-flex min-h-6 items-center text-accent underline"
          >
            {t("billing.change")}
          </a>
        ) : null}
        {cancelable ? (
          <a
            href={`/${locale}/account/billing/cancel?subscription=${id}`}
            className="inline-flex min-h-6 items-center text-danger underline"
          >
            {t("billing.cancel")}
          </a>
        ) : null}
      </p>
    </article>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="grid content-start gap-1">
      <dt className="text-sm text-ink-muted">{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}
