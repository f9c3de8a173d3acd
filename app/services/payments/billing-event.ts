import type { BillingMetadata } from "~/services/payments/billing-metadata";

/**
 * `expired` entitles to nothing and may recover; `canceled` is terminal; `unknown` is a status that
 * this code has not heard of, and entitles to nothing.
 */
export type SubscriptionStatus =
  | "incomplete"
  | "trialing"
  | "active"
  | "past_due"
  | "unpaid"
  | "paused"
  | "expired"
  | "canceled"
  | "unknown";

/**
 * What a delivery says, the same for both providers. Amounts are integers in the currency's minor
 * unit, currencies lower case. `metadata` is null for what our checkouts did not make.
 */
export type BillingEvent =
  | CheckoutCompleted
  | SubscriptionChanged
  | InvoicePaid
  | InvoiceFailed
  | Refunded
  | Disputed
  | UnknownEvent
  | MalformedEvent;

export interface CheckoutCompleted {
  kind: "checkout_completed";
  checkoutId: string;
  mode: "payment" | "subscription";
  /** Only `paid` is worth anything. */
  paymentStatus: "paid" | "unpaid" | "no_payment_required";
  /** Stripe: the payment intent. Creem: the order, which its refunds and disputes name too. */
  paymentId: string | null;
  customerId: string | null;
  subscriptionId: string | null;
  /** What was charged in all, tax included. */
  amount: number;
  currency: string;
  /**
   * What the items cost before discounts and exclusive taxes, in the currency of their price, which a
   * provider may have converted for the buyer. Null where the event does not say.
   */
  listed: { amount: number; currency: string } | null;
  /** Creem's product. Stripe's event does not name the price that was paid. */
  productId: string | null;
  metadata: BillingMetadata | null;
}

export interface SubscriptionChanged {
  kind: "subscription_changed";
  providerSubscriptionId: string;
  customerId: string | null;
  /**
   * Null leaves it as it was: a scheduled cancellation changes nothing yet. A subscription that is
   * first heard of that way is running, thus `active`.
   */
  status: SubscriptionStatus | null;
  /** Stripe's price, Creem's product. */
  priceId: string | null;
  /** Creem sends some events without the period: null leaves it as it was. */
  currentPeriodStart: Date | null;
  currentPeriodEnd: Date | null;
  cancelAtPeriodEnd: boolean;
  endedAt: Date | null;
  metadata: BillingMetadata | null;
  /** When the provider says it happened, for the order of events: whole seconds at Stripe. */
  occurredAt: Date;
}

interface InvoiceFacts {
  /** Stripe: the invoice. Creem: the transaction, if there is one. */
  invoiceId: string | null;
  providerSubscriptionId: string;
  customerId: string | null;
  priceId: string | null;
  metadata: BillingMetadata | null;
}

export interface InvoicePaid extends InvoiceFacts {
  kind: "invoice_paid";
  /**
   * What is now paid for. Null where the invoice pays for no whole period: prorations alone, which
   * end with a period that may itself still be unpaid.
   */
  periodStart: Date | null;
  periodEnd: Date | null;
  /**
   * Set instead where the period is on a line that the payload does not show: what is paid for is the
   * subscription's period that begins then. Null where that is not known either.
   */
  renewedAt?: Date | null;
}

export interface InvoiceFailed extends InvoiceFacts {
  kind: "invoice_failed";
}

interface ReversalFacts {
  /** As in the checkout's event. */
  paymentId: string | null;
  /** Known at Creem only. */
  checkoutId: string | null;
  /** Set where a period of a subscription was paid back, which is the operator's to settle. */
  providerSubscriptionId: string | null;
  /** What had been charged in all, where the event says it. */
  chargedAmount: number | null;
  currency: string;
  metadata: BillingMetadata | null;
}

export interface Refunded extends ReversalFacts {
  kind: "refunded";
  /** Cumulative: all of this payment that has been paid back by now. */
  amountRefunded: number;
}

export interface Disputed extends ReversalFacts {
  kind: "disputed";
  disputeId: string;
  amount: number;
}

/** Nothing of ours: acknowledged, without effect. */
export interface UnknownEvent {
  kind: "unknown";
  type: string;
}

/**
 * A type that matters in a shape that cannot be read. It must fail where it can be seen and tried
 * again after a fix: taken for unknown, a payment would be lost in silence.
 */
export interface MalformedEvent {
  kind: "malformed";
  type: string;
  /** Names fields and no values. */
  problem: string;
}

/** One webhook delivery, normalised. */
export interface Delivery {
  /** Null where the provider gave none: then the payload's hash identifies the delivery. */
  providerEventId: string | null;
  /** The provider's own name of the event. */
  type: string;
  events: BillingEvent[];
}
