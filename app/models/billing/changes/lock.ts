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
  /** The provider has not confirmed it, or does not have it. */
  | "unconfirmed";

/** Null if the plan can be changed. `standing` is null if the provider does not have the subscription. */
export function findChangeLock(standing: PlanStanding | null): ChangeLock | null {
  switch (standing?.status) {
    case "active":
      if (standing.cancelAtPeriodEnd) return "ending";
      if (standing.open) return "open";
      return standing.scheduled ? "scheduled" : null;
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
