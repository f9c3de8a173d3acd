import { Link, useParams } from "@remix-run/react";
import type { ReactNode } from "react";
import { useTranslations } from "use-intl";
import { CURRENCY, type Period, type PlanKey } from "~/catalog";
import { useNextCreditsWords } from "~/components/billing/use-next-credits-words";
import { useStatusWords } from "~/components/billing/use-status-words";
import { useMoney } from "~/components/use-money";
import { usePlanName } from "~/components/use-plan-name";
import type { NextCredits } from "~/models/billing/next-credits";
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
  /** Whether the subscription can still be cancelled. */
  cancelable: boolean;
}

export function SubscriptionCard({ subscription }: { subscription: ShownSubscription }) {
  const t = useTranslations();
  const { locale } = useParams();
  const money = useMoney();
  const { id, planKey, period, amount, cancelable } = subscription;
  const status = useStatusWords(subscription);
  const next = useNextCreditsWords(subscription.nextCredits);
  const price = amount === null ? null : money(amount, CURRENCY);
  return (
    <article className="grid gap-4 rounded-md border border-line p-4">
      <h3 className="text-lg font-semibold">{usePlanName()(planKey)}</h3>
      <dl className="grid gap-x-8 gap-y-4 sm:grid-cols-3">
        {price === null ? null : (
          <Fact label={t("billing.price")}>
            {period === "month" ? t("pricing.byMonth", { price }) : t("pricing.byYear", { price })}
          </Fact>
        )}
        <Fact label={t("billing.status")}>
          <span className="block font-medium">{status.name}</span>
          <span className="block text-ink-muted">{status.meaning}</span>
        </Fact>
        <Fact label={t("billing.nextCredits")}>{next}</Fact>
      </dl>
      {cancelable ? (
        <p>
          <Link
            to={`/${locale}/account/billing/cancel?subscription=${id}`}
            className="inline-flex min-h-6 items-center text-danger underline"
          >
            {t("billing.cancel")}
          </Link>
        </p>
      ) : null}
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
