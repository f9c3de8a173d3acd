import type { PlanStanding } from "~/services/payments/plan-changes";

/** Why a plan cannot be changed now. */
export type ChangeLock =
  /** A payment is open or was refused. */
  | "payment"
  | "paused"
  | "trial"
  /** It was cancelled and runs to its end. */
  | "ending"
  /** An earlier change waits for its payment. */
  | "open"
  /** Another change is planned, and can be dropped. */
  | "scheduled"
  /** The running period's payment went back, wholly or partly. */
  | "returned"
  /** The provider has not confirmed it, or does not have it. */
  | "unconfirmed";

/**
 * Null if the plan can be changed. `standing` is null if the provider does not have the subscription.
 * `isReturned`: money is going back for the running period. Then the page doesn't lead to an open payment
 * either, which is the price less the unused time of that period.
 */
export function findChangeLock(
  standing: PlanStanding | null,
  isReturned: boolean,
): ChangeLock | null {
  switch (standing?.status) {
    case "active":
      if (standing.cancelAtPeriodEnd) return "ending";
      if (standing.scheduled && !standing.open) return "scheduled";
      if (isReturned) return "returned";
      return standing.open ? "open" : null;
    case "past_due":
    case "unpaid":
      return "payment";
    case "paused":
      return "paused";
    case "trialing":
      return standing.cancelAtPeriodEnd ? "ending" : "trial";
    default:
      return "unconfirmed";
  }
}
