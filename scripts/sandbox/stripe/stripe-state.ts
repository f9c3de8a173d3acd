/** Times are in seconds since 1970, amounts in minor units, ids as Stripe forms them. */
export interface StripeSession {
  id: string;
  mode: "payment" | "subscription";
  status: "open" | "complete";
  priceId: string;
  clientReferenceId: string;
  metadata: Record<string, string>;
  /** What goes on the payment intent or the subscription. */
  dataMetadata: Record<string, string>;
  successUrl: string;
  cancelUrl: string;
  customer: string | null;
  email: string | null;
  paymentIntent: string | null;
  subscription: string | null;
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
  /** Which period is under way, counted from 0. */
  period: number;
  cancelAtPeriodEnd: boolean;
  cancelAt: number | null;
  canceledAt: number | null;
  endedAt: number | null;
  /** A renewal that was not paid. */
  openInvoice: string | null;
}

export interface StripePayment {
  /** The payment intent. */
  id: string;
  charge: string;
  /** The session that it belongs to; null for an invoice's. */
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
  /** Which of its periods it is for, counted from 0. */
  period: number;
  status: "open" | "paid";
  created: number;
}

/** Money that went back, or is claimed back, of one payment. */
export interface StripeReversal {
  id: string;
  /** The payment intent. */
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
  /** Portal session → customer and where to return. */
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
