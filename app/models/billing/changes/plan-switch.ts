import type { AddedCredits } from "~/models/billing/checkouts/returned-checkout";
import type { Money } from "~/utils/money";

/** The state of a change of plan that was made at once. */
export type PlanSwitch =
  /** Its payment isn't told yet. `expected`: the credits it will bring on top; null if that isn't known. */
  | { status: "waiting"; expected: number | null }
  /** `added` is null if it brings none on top. `total` is null until the provider has said it. */
  | {
      status: "arrived";
      payment: { id: string; total: Money | null };
      added: AddedCredits | null;
    };
