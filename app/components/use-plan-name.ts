import { useTranslations } from "use-intl";
import { findPlan } from "~/catalog";

/** Names plans in the page's language. A plan that was taken out of the catalog keeps its key as its name. */
export function usePlanName(): (planKey: string) => string {
  const t = useTranslations();
  return (planKey) => {
    const plan = findPlan(planKey);
    return plan ? t(plan.nameKey) : planKey;
  };
}
