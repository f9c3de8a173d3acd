import type { SandboxPrice } from "../payments/sandbox-catalog";
import type { StripeIntent, StripeKeptCard, StripeSetup } from "./kept-card-state";

/** Times are in seconds since 1970, amounts in minor units, ids have Stripe's format. */
export interface StripeSession {
  id: string;
  mode: "payment" | "subscription";
  status: "open" | "complete" | "expired";
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
  status: "active" | "past_due" | "paused" | "canceled";
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
  /** More lines for the next renewal's invoice. */
  pendingLines: StripeInvoiceLine[];
}

export interface StripePayment {
  /** The payment intent's id. */
  id: string;
  charge: string;
  /** Its session; null for an invoice's payment. */
  session: string | null;
  customer: string | null;
  /** The amount that the charge took, which may be in another currency than its session or invoice. */
  amount: number;
  currency: string;
  metadata: Record<string, string>;
  created: number;
}

export interface StripeInvoiceLine {
  amount: number;
  /** A price of the account, or of no price list. */
  priceId: string;
  start: number;
  end: number;
  proration: boolean;
  /** Whether it is a one-off item, which isn't the subscription's. */
  isItem?: boolean;
}

export const INVOICE_REASONS = [
  "subscription_create",
  "subscription_cycle",
  "subscription_update",
  "manual",
] as const;

export interface StripeInvoice {
  id: string;
  subscription: string;
  reason: (typeof INVOICE_REASONS)[number];
  lines: StripeInvoiceLine[];
  status: "open" | "paid";
  /** The total due; a discount or a tax makes it differ from the price. */
  total: number;
  /** The payment intents that paid it, and each one's part in the invoice's currency. */
  payments: { id: string; amount: number }[];
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

export const REFUND_STATUSES = [
  "pending",
  "requires_action",
  "succeeded",
  "failed",
  "canceled",
] as const;

export type RefundStatus = (typeof REFUND_STATUSES)[number];

/** A refund or dispute of one payment. */
interface StripeReturn<Status> {
  id: string;
  /** The payment intent's id. */
  payment: string;
  amount: number;
  currency: string;
  status: Status;
  created: number;
}

export type StripeRefund = StripeReturn<RefundStatus>;

export const DISPUTE_STATUSES = [
  "warning_needs_response",
  "warning_under_review",
  "warning_closed",
  "needs_response",
  "under_review",
  "won",
  "lost",
  "prevented",
] as const;

export type DisputeStatus = (typeof DISPUTE_STATUSES)[number];

export type StripeDispute = StripeReturn<DisputeStatus>;

export interface StripeState {
  customers: Record<string, { id: string; email: string }>;
  sessions: Record<string, StripeSession>;
  subscriptions: Record<string, StripeSubscription>;
  payments: Record<string, StripePayment>;
  invoices: Record<string, StripeInvoice>;
  refunds: Record<string, StripeRefund>;
  disputes: Record<string, StripeDispute>;
  schedules: Record<string, StripeSchedule>;
  portalConfigurations: Record<string, StripePortalConfiguration>;
  /** Portal session → customer, return URL and configuration. */
  portals: Record<string, { customer: string; returnUrl: string; configuration: string }>;
  /** Customers whose saved card is declined for changes of plan. */
  decliningCustomers: string[];
  /** By customer; without an entry it is a test card, and null is a wallet. */
  cards: Record<string, StripeCard | null>;
  /** Prices that an operator added in the dashboard. */
  prices: Record<string, SandboxPrice>;
  setups: Record<string, StripeSetup>;
  keptCards: Record<string, StripeKeptCard>;
  intents: Record<string, StripeIntent>;
}

export interface StripeCard {
  brand: string;
  last4: string;
  /** Whose default payment method it is. */
  on: "subscription" | "customer";
}

export interface StripePortalConfiguration {
  id: string;
  created: number;
  active: boolean;
  isDefault: boolean;
  name: string | null;
  defaultReturnUrl: string | null;
  businessProfile: { privacy_policy_url?: string; terms_of_service_url?: string };
  features: PortalFeatures;
  metadata: Record<string, string>;
}

/** Only the settings that decide about subscriptions have a shape of their own. */
export interface PortalFeatures {
  customer_update: object;
  invoice_history: object;
  payment_method_update: object;
  subscription_cancel: {
    enabled: boolean;
    mode: "at_period_end" | "immediately";
    proration_behavior: string;
  };
  subscription_pause: { enabled: boolean };
  subscription_update: {
    enabled: boolean;
    billing_cycle_anchor: string | null;
    default_allowed_updates: string[];
    proration_behavior: string;
    schedule_at_period_end: { conditions: { type: string }[] };
  };
}

/** An account's portal before anybody sets it up; also offers to cancel at once, without paying back. */
const DEFAULT_PORTAL: StripePortalConfiguration = {
  id: "bpc_SandboxDefault",
  created: 1_700_000_000,
  active: true,
  isDefault: true,
  name: null,
  defaultReturnUrl: null,
  businessProfile: {},
  metadata: {},
  features: {
    customer_update: { enabled: false, allowed_updates: [] },
    invoice_history: { enabled: true },
    payment_method_update: { enabled: true },
    subscription_cancel: { enabled: true, mode: "immediately", proration_behavior: "none" },
    subscription_pause: { enabled: false },
    subscription_update: {
      enabled: false,
      billing_cycle_anchor: null,
      default_allowed_updates: [],
      proration_behavior: "none",
      schedule_at_period_end: { conditions: [] },
    },
  },
};

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
    portalConfigurations: { [DEFAULT_PORTAL.id]: structuredClone(DEFAULT_PORTAL) },
    decliningCustomers: [],
    cards: {},
    prices: {},
    portals: {},
    setups: {},
    keptCards: {},
    intents: {},
  };
}

export const nowInSeconds = () => Math.floor(Date.now() / 1000);
