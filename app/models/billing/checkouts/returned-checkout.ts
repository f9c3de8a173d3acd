import type { Period, PlanKey } from "~/catalog";

/** Credits that a purchase brought, and the balance right after them. */
export interface AddedCredits {
  amount: number;
  balanceAfter: number;
  expiresAt: Date | null;
  at: Date;
}

/** The checkout that a buyer comes back from. */
export interface ReturnedCheckout {
  kind: "pack" | "plan";
  provider: string;
  /** The credits it brought; null until the provider's webhook is in. */
  added: AddedCredits | null;
  /** A pack's order, once the webhook is in. Amount in minor units. */
  order: { id: string; amount: number; currency: string } | null;
  /** A plan's subscription, once its credits are in, and its payment as far as it is told. */
  plan: {
    subscriptionId: string;
    planKey: PlanKey;
    period: Period;
    payment: { id: string; total: { amount: number; currency: string } | null } | null;
  } | null;
  /** Where the receipt is mailed to; null if none is. */
  receiptTo: string | null;
}
