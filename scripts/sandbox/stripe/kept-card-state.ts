/** A hosted page that keeps a card. */
export interface StripeSetup {
  id: string;
  status: "open" | "complete" | "expired";
  clientReferenceId: string;
  customer: string;
  metadata: Record<string, string>;
  /** Metadata for the setup intent. */
  setupMetadata: Record<string, string>;
  setupIntent: string;
  successUrl: string;
  cancelUrl: string;
  created: number;
}

/** Behaviors of a kept card that is charged without its customer. */
export const CARD_BEHAVIORS = [
  "good",
  "generic_decline",
  "insufficient_funds",
  "expired_card",
  "stolen_card",
  "authentication_required",
  "requires_action",
] as const;

export type CardBehavior = (typeof CARD_BEHAVIORS)[number];

export interface StripeKeptCard {
  id: string;
  /** Null once it was detached: it can't be used again. */
  customer: string | null;
  brand: string;
  last4: string;
  behavior: CardBehavior;
  /** The object whose default payment method it is; absent in states saved before. */
  pays?: CardUse | null;
  created: number;
}

export const CARD_USES = ["customer", "subscription"] as const;

type CardUse = (typeof CARD_USES)[number];

/** A payment without its customer. One that succeeded is a payment, too, under the same id. */
export interface StripeIntent {
  id: string;
  amount: number;
  currency: string;
  /** Null, like the card, of one that nobody is to pay yet. */
  customer: string | null;
  card: string | null;
  metadata: Record<string, string>;
  status: "succeeded" | "requires_payment_method" | "requires_action" | "canceled";
  charge: string | null;
  error: { code: string; declineCode: string | null; message: string } | null;
  created: number;
  canceledAt: number | null;
}
