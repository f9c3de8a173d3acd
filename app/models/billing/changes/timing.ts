import { findPlan, PERIODS, type Period } from "~/catalog";

/** A plan and how it is paid. The plan may have left the catalog. */
export interface PlanChoice {
  planKey: string;
  period: Period;
}

/**
 * When a change of plan takes effect: at once only where neither plan nor period shrinks. Credits are
 * used up, so money for the rest of a period must never come back: whoever gives up a dearer plan
 * or a year keeps it until the end of what is paid.
 */
export function changeTiming(from: PlanChoice, to: PlanChoice): "same" | "now" | "period_end" {
  if (from.planKey === to.planKey && from.period === to.period) return "same";
  const shortens = from.period === "year" && to.period === "month";
  return shortens || isSmaller(to.planKey, from.planKey) ? "period_end" : "now";
}

/** Fewer credits or a lower price; also true of any plan compared with one that the catalog lacks. */
function isSmaller(planKey: string, other: string): boolean {
  if (planKey === other) return false;
  const [plan, reference] = [findPlan(planKey), findPlan(other)];
  if (!plan || !reference) return true;
  return (
    plan.creditsPerMonth < reference.creditsPerMonth ||
    PERIODS.some((period) => plan.amounts[period] < reference.amounts[period])
  );
}
