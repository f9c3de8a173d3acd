import type { ActionKey } from "~/catalog";
import type { CreditTransactionType } from "~/generated/prisma/enums";
import type { CauseParts } from "~/models/credits/cause";

/** Credits that left a lot, less those that came back. */
export interface LotUse {
  /** `returned`: taken back because a payment was. */
  for: "run" | "expired" | "returned" | "correction" | "other";
  /** The action of the runs. */
  action: ActionKey | null;
  credits: number;
}

/** Credits that came together, and what became of them. `amount` is `remaining` and all of `uses`. */
export interface Lot extends CauseParts {
  id: string;
  type: CreditTransactionType;
  source: string;
  amount: number;
  remaining: number;
  /** Null if it never expires. */
  expiresAt: Date | null;
  description: string | null;
  createdAt: Date;
  uses: LotUse[];
}
