import type { ChangePrice, PlanTarget } from "~/services/payments/plan-changes";

/** A plan to change to. `amount` in minor units per period. */
export interface PlanOption extends PlanTarget {
  amount: number;
  timing: "same" | "now" | "period_end";
}

/** The effect of a change. */
export type ChangePreview = PlanTarget & { amount: number } & (
    | { timing: "now"; at: Date; price: ChangePrice; credits: CreditsOfChange }
    | { timing: "period_end"; at: Date; monthly: number }
    /** The provider can't plan it: cancel, and subscribe again afterwards. */
    | { timing: "resubscribe"; at: Date }
  );

/** A change's effect on credits. */
export interface CreditsOfChange {
  /** Credits on top, for the rest of the running month; null while earlier months are still to come. */
  difference: number | null;
  /** Credits of each month from `nextAt` on. */
  monthly: number;
  /** Null as with `difference`. */
  nextAt: Date | null;
}
