import type { useTranslations } from "use-intl";
import { CURRENCY, findPlan } from "~/catalog";
import type { SubscriptionStatus } from "~/services/payments/billing-event";
import { formatMoney } from "~/utils/money";

/** The facts that decide a plan's sentence: its state, its cancellation, its planned change, and its payment. */
export interface PlanState extends Choice {
  status: SubscriptionStatus;
  cancelAtPeriodEnd: boolean;
  periodEnd: Date | null;
  endedAt: Date | null;
  planned: Choice | null;
}

/** The plan may have left the catalog. */
interface Choice {
  planKey: string;
  period: string;
}

/** How a page or an email writes. */
export interface PlanPen {
  t: ReturnType<typeof useTranslations<never>>;
  locale: string;
  day(at: Date): string;
}

/**
 * Says in one sentence what becomes of a plan, and whether it charges. Every page and email that tells of a
 * plan's future takes this sentence, so that no two of them differ.
 */
export function planSentence(plan: PlanState, pen: PlanPen): string {
  const { t, day } = pen;
  const { status, cancelAtPeriodEnd: ends, periodEnd, endedAt } = plan;
  const name = { plan: planNameOf(plan.planKey, pen) };
  const date = periodEnd && day(periodEnd);
  switch (status) {
    case "active":
      if (!ends) return renewalSentence(plan, pen);
      return date ? t("planWords.ends", { ...name, date }) : t("planWords.endsLater", name);
    case "trialing": {
      if (ends)
        return date
          ? t("planWords.trialEnds", { ...name, date })
          : t("planWords.trialEndsLater", name);
      const price = priceOf(plan.planned ?? plan, pen);
      if (!price) return t("planWords.renewsLater", name);
      return date
        ? t("planWords.trial", { ...name, date, price })
        : t("planWords.trialLater", { ...name, price });
    }
    case "past_due":
      return ends ? t("planWords.endsOwing", name) : t("planWords.pastDue", name);
    case "unpaid":
      return ends ? t("planWords.endsOwing", name) : t("planWords.unpaid", name);
    case "paused":
      return t("planWords.paused", name);
    case "incomplete":
      return t("planWords.incomplete", name);
    case "expired":
      return t("planWords.expired", name);
    case "canceled": {
      const over = endedAt ?? periodEnd;
      return over
        ? t("planWords.over", { ...name, date: day(over) })
        : t("planWords.overBefore", name);
    }
    case "unknown":
      return t("planWords.unknown", name);
  }
}

function renewalSentence(plan: PlanState, pen: PlanPen): string {
  const { t, day } = pen;
  const { planned, periodEnd } = plan;
  const name = { plan: planNameOf(plan.planKey, pen) };
  const date = periodEnd && day(periodEnd);
  const price = priceOf(planned ?? plan, pen);
  if (planned && price) {
    const words = { ...name, next: planNameOf(planned.planKey, pen), price };
    return date ? t("planWords.switches", { ...words, date }) : t("planWords.switchesLater", words);
  }
  return date && price
    ? t("planWords.renews", { ...name, date, price })
    : t("planWords.renewsLater", name);
}

const planNameOf = (planKey: string, { t }: PlanPen): string => {
  const plan = findPlan(planKey);
  return plan ? t(plan.nameKey) : planKey;
};

/** "$9.00 a month"; null if the plan is no longer in the catalog. */
function priceOf({ planKey, period }: Choice, { t, locale }: PlanPen): string | null {
  const amounts = findPlan(planKey)?.amounts;
  if (!amounts) return null;
  const amount = period === "month" ? amounts.month : amounts.year;
  const price = formatMoney({ amount, currency: CURRENCY }, locale);
  return period === "month" ? t("pricing.byMonth", { price }) : t("pricing.byYear", { price });
}
