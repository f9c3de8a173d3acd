import { amountOf, CURRENCY } from "~/catalog";
import type { ChangePrice, DueLine, PlanTarget } from "~/services/payments/plan-changes";
import { addMonths } from "~/utils/add-months";

/**
 * Estimates what a change at once costs before tax, for a provider that tells no amount in advance. Counts
 * the catalog's price of the new plan for the rest of the period (for a whole one after a change of
 * interval), less what is left of the old plan.
 */
export function estimateChange({
  from,
  to,
  currentPeriodStart: start,
  currentPeriodEnd: end,
  at,
}: {
  from: PlanTarget;
  to: PlanTarget;
  currentPeriodStart: Date;
  currentPeriodEnd: Date;
  at: Date;
}): ChangePrice {
  const left = (end.getTime() - at.getTime()) / (end.getTime() - start.getTime());
  const isNewPeriod = from.period !== to.period;
  const price = (plan: PlanTarget) => amountOf({ type: "plan", ...plan });
  const lines: DueLine[] = [
    { kind: "new", amount: isNewPeriod ? price(to) : Math.round(price(to) * left) },
    { kind: "unused", amount: -Math.round(price(from) * left) },
  ];
  return {
    isExact: false,
    amountDue: Math.max(
      0,
      lines.reduce((sum, { amount }) => sum + amount, 0),
    ),
    currency: CURRENCY,
    lines,
    startsAt: at,
    endsAt: isNewPeriod ? addMonths(at, to.period === "year" ? 12 : 1) : end,
  };
}
