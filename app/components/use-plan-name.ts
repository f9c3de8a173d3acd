import { useTranslations } from "use-intl";
import type { PlanKey } from "~/models/catalog";

/** What a plan is called in the page's language. */
export function usePlanName(): (planKey: PlanKey) => string {
  const t = useTranslations();
  const names: Record<PlanKey, string> = { starter: t("plans.starter"), pro: t("plans.pro") };
  return (planKey) => names[planKey] ?? planKey;
}
