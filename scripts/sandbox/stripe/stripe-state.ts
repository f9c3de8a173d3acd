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
  created: number;
}

export interface StripeSubscription {
  id: string;
  itemId: string;
  customer: string;
  priceId: string;
  status: "active" | "past_due" | "canceled";
  metadata: Record<string, string>;
  created: number;
  /** Where its billing cycle began: its creation, or the last change of interval. */
  anchor: number;
  /** Number of the current period, from 0. */
  period: number;
  cancelAtPeriodEnd: boolean;
  cancelAt: number | null;
  canceledAt: number | null;
  endedAt: number | null;
  /** The unpaid invoice of a failed renewal. */
  openInvoice: string | null;
  latestInvoice: string | null;
  /** The schedule that manages it. */
  schedule: string | null;
  /** A change that waits for the payment of `latestInvoice`. */
  pendingUpdate: { priceId: string; expiresAt: number } | null;
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

export interface StripeInvoiceLine {
  amount: number;
  priceId: string;
  start: number;
  end: number;
  proration: boolean;
}

export interface StripeInvoice {
  id: string;
  subscription: string;
  reason: "subscription_create" | "subscription_cycle" | "subscription_update";
  lines: StripeInvoiceLine[];
  status: "open" | "paid";
  created: number;
}

export interface StripeSchedulePhase {
  priceId: string;
  start: number;
  end: number;
}

export interface StripeSchedule {
  id: string;
  subscription: string;
  status: "active" | "released";
  phases: StripeSchedulePhase[];
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
  schedules: Record<string, StripeSchedule>;
  /** Customers whose saved card is declined for changes of plan. */
  decliningCustomers: string[];
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
    schedules: {},
    decliningCustomers: [],
    portals: {},
  };
}

export const nowInSeconds = () => Math.floor(Date.now() / 1000);
