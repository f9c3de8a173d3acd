import { useTranslations } from "use-intl";
import { findPlan } from "~/catalog";

/**
 * Returns a plan's name in the page's language, or its key if the plan is no longer in the catalog.
 */
export function usePlanName(): (planKey: string) => string {
  const t = useTranslations();
  return (planKey) => {
    const plan = findPlan(planKey);
    return plan ? t(plan.nameKey) : planKey;
  };
}
