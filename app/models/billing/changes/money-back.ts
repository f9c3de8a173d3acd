import { CURRENCY, findPlan } from "~/catalog";
import type { StoredPeriod } from "~/models/billing/periods/periods.server";

export type RunningPeriod = Pick<
  StoredPeriod,
  | "kind"
  | "startsAt"
  | "endsAt"
  | "planKey"
  | "period"
  | "amount"
  | "currency"
  | "amountReturned"
  | "closedAt"
>;

/**
 * Whether money is going back for the running period: for any of the paid periods and upgrades that
 * cover now, unless the same time was paid again in full. A provider credits the unused time of a plan
 * when it changes, also if its payment was refunded or disputed.
 */
export function isMoneyGoingBack(running: readonly RunningPeriod[]): boolean {
  return running.some(
    (period) => wentBack(period) && !running.some((other) => paidAgain(period, other)),
  );
}

const wentBack = ({ closedAt, amountReturned }: RunningPeriod) =>
  closedAt !== null || amountReturned > 0;

/**
 * An upgrade's amount is only a difference. A first period whose payment isn't known yet, a discounted
 * payment and one in another currency don't show that the whole plan was paid.
 */
function paidAgain(period: RunningPeriod, other: RunningPeriod): boolean {
  const price = findPlan(other.planKey)?.amounts[other.period];
  return (
    other.kind === "paid" &&
    !wentBack(other) &&
    other.startsAt >= period.startsAt &&
    other.endsAt >= period.endsAt &&
    price !== undefined &&
    other.currency === CURRENCY &&
    other.amount !== null &&
    other.amount >= price
  );
}
