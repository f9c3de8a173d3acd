/** Times are in seconds since 1970, amounts in minor units, ids have Stripe's format. */
export interface StripeSession {
  id: string;
  mode: "payment" | "subscription";
  status: "open" | "complete";
  priceId: string;
  clientReferenceId: string;
  metadata: Record<string, string>;
  /** Metadata for the payment intent or the subscription. */
  dataMetadata: Record<string, string>;
  successUrl: string;
  cancelUrl: string;
  customer: string | null;
  email: string | null;
  paymentIntent: string | null;
  subscription: string | null;
  options: { promotionCodes: boolean; automaticTax: boolean; invoice: boolean };
  /** Of the promotion code that the buyer entered; 0 without one. */
  discountPercent: number;
  created: number;
}

export interface StripeSubscription {
  id: string;
  itemId: string;
  customer: string;
  priceId: string;
  status: "active" | "past_due" | "canceled";
  metadata: Record<string, string>;
  anchor: number;
  /** Number of the current period, from 0. */
  period: number;
  cancelAtPeriodEnd: boolean;
  cancelAt: number | null;
  canceledAt: number | null;
  endedAt: number | null;
  /** The unpaid invoice of a failed renewal. */
  openInvoice: string | null;
}

export interface StripePayment {
  /** The payment intent's id. */
  id: string;
  charge: string;
  /** Its session; null for an invoice's payment. */
  session: string | null;
  customer: string | null;
  amount: number;
  refunded: number;
  currency: string;
  metadata: Record<string, string>;
}

export interface StripeInvoice {
  id: string;
  subscription: string;
  /** Number of the period it bills, from 0. */
  period: number;
  status: "open" | "paid";
  created: number;
}

/** A refund or dispute of one payment. */
export interface StripeReversal {
  id: string;
  /** The payment intent's id. */
  payment: string;
  amount: number;
  created: number;
}

export interface StripeState {
  customers: Record<string, { id: string; email: string }>;
  sessions: Record<string, StripeSession>;
  subscriptions: Record<string, StripeSubscription>;
  payments: Record<string, StripePayment>;
  invoices: Record<string, StripeInvoice>;
  refunds: Record<string, StripeReversal>;
  disputes: Record<string, StripeReversal>;
  /** Portal session → customer and return URL. */
  portals: Record<string, { customer: string; returnUrl: string }>;
}

export function emptyStripeState(): StripeState {
  return {
    customers: {},
    sessions: {},
    subscriptions: {},
    payments: {},
    invoices: {},
    refunds: {},
    disputes: {},
    portals: {},
  };
}

export const nowInSeconds = () => Math.floor(Date.now() / 1000);
