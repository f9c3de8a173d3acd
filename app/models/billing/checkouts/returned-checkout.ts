/** The checkout that a buyer comes back from. */
export interface ReturnedCheckout {
  kind: "pack" | "plan";
  provider: string;
  startedAt: Date;
  /** The credits it brought; null until the provider's webhook is in. */
  added: { amount: number; balanceAfter: number; expiresAt: Date | null } | null;
  /** A pack's order, once the webhook is in. Amount in minor units. */
  order: { id: string; amount: number; currency: string } | null;
}
