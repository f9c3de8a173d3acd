import { useLocale, useTranslations } from "use-intl";
import { useDay } from "~/components/use-day";
import { type PlanState, planSentence } from "~/models/billing/subscriptions/plan-sentence";

/** Returns the function that says in one sentence what becomes of a plan. */
export function usePlanSentence(): (plan: PlanState) => string {
  const pen = { t: useTranslations(), locale: useLocale(), day: useDay() };
  return (plan) => planSentence(plan, pen);
}
