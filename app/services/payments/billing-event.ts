import type { BillingMetadata } from "~/services/payments/billing-metadata";

/**
 * `expired` gives no entitlement and may recover. `canceled` is final. `unknown` is a status this code
 * does not recognise; it gives no entitlement.
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
 * The events of a delivery, in one form for both providers. Amounts are integers in the currency's
 * minor unit; currencies are lower case. `metadata` is null for objects our checkouts did not make.
 */
export type BillingEvent =
  | CheckoutCompleted
  | SubscriptionChanged
  | InvoicePaid
  | InvoiceFailed
  | InvoiceLinked
  | Refunded
  | Disputed
  | UnknownEvent
  | MalformedEvent;

export interface CheckoutCompleted {
  kind: "checkout_completed";
  checkoutId: string;
  mode: "payment" | "subscription";
  /** `isSettled` says which of them grant credits. */
  paymentStatus: "paid" | "unpaid" | "no_payment_required";
  /** Stripe: the payment intent. Creem: the order, which its refunds and disputes also name. */
  paymentId: string | null;
  customerId: string | null;
  subscriptionId: string | null;
  /** The total charged, including tax. */
  amount: number;
  currency: string;
  /**
   * The items' cost before discounts and exclusive taxes, in the currency of their price, which a
   * provider may have converted for the buyer. Null if the event does not say.
   */
  listed: { amount: number; currency: string } | null;
  /** Creem's product. Stripe's event does not name the price that was paid. */
  productId: string | null;
  metadata: BillingMetadata | null;
}

/**
 * Whether nothing is left to pay, so that the purchase takes effect: it was paid, or a promotion code made
 * it free. `no_payment_required` with an amount is a payment that comes later.
 */
export function isSettled({
  paymentStatus,
  amount,
}: Pick<CheckoutCompleted, "paymentStatus" | "amount">): boolean {
  return paymentStatus === "paid" || (paymentStatus === "no_payment_required" && amount === 0);
}

export interface SubscriptionChanged {
  kind: "subscription_changed";
  providerSubscriptionId: string;
  customerId: string | null;
  /**
   * Null leaves the status unchanged: a scheduled cancellation changes nothing yet. If that is a
   * subscription's first event, it is running, so `active`.
   */
  status: SubscriptionStatus | null;
  /** Stripe's price, Creem's product. */
  priceId: string | null;
  /** Creem sends some events without the period; null leaves the stored one unchanged. */
  currentPeriodStart: Date | null;
  currentPeriodEnd: Date | null;
  /** When the subscription began; null if the event doesn't say. */
  startedAt: Date | null;
  cancelAtPeriodEnd: boolean;
  /** Stripe: whether a schedule, which may change the plan at the period's end, manages it. */
  hasSchedule: boolean;
  endedAt: Date | null;
  metadata: BillingMetadata | null;
  /** When it happened according to the provider, used to order events. Stripe's times are whole seconds. */
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
   * The time that the invoice pays for: a whole period, a trial (at no cost), the rest of a period on a dearer
   * plan, or nothing, as with a credit note. `hidden` if the payload doesn't show the line with the
   * period.
   */
  covers: "period" | "trial" | "upgrade" | "nothing" | "hidden";
  /** The period now paid for. Null where the event doesn't say. */
  periodStart: Date | null;
  periodEnd: Date | null;
  /** With `hidden`: the start of the subscription's period that is paid for. */
  renewedAt: Date | null;
  /** Creem: when it was paid. Its events name the whole period even for an upgrade within it. */
  paidAt: Date | null;
  /** The total paid, in minor units; null where the event doesn't say. */
  amount: number | null;
  currency: string | null;
  /** Stripe: the payment intent, where the payload names it. Refunds and disputes name it too. */
  intentId: string | null;
}

export interface InvoiceFailed extends InvoiceFacts {
  kind: "invoice_failed";
  /** Whether it is a period's own invoice, and not that of a change within a period. */
  isRenewal: boolean;
  occurredAt: Date;
}

/** Stripe: which payment intent paid an invoice. Refunds and disputes name the payment intent only. */
export interface InvoiceLinked {
  kind: "invoice_linked";
  invoiceId: string;
  intentId: string;
}

/** A refund or a dispute names the payment that goes back. */
export interface ReversalFacts {
  /** As in the checkout's event. */
  paymentId: string | null;
  /** Creem: the transaction. Stripe, before 2025-03: the invoice. A paid period names it too. */
  transactionId: string | null;
  /** Known at Creem only. */
  checkoutId: string | null;
  /** Creem: set if a subscription's period was paid back. */
  providerSubscriptionId: string | null;
  /** Stripe's charges name the customer. */
  customerId: string | null;
  /** When the payment was made, if the event says it. */
  paidAt: Date | null;
  /** The total charged, if the event says it. */
  chargedAmount: number | null;
  currency: string;
  metadata: BillingMetadata | null;
}

export interface Refunded extends ReversalFacts {
  kind: "refunded";
  /** Cumulative: everything refunded of this payment so far. Creem's figure includes disputes. */
  amountRefunded: number;
}

export interface Disputed extends ReversalFacts {
  kind: "disputed";
  disputeId: string;
  /** Creem: cumulative, with what was refunded before. */
  amount: number;
}

/** Not ours: acknowledged, without effect. */
export interface UnknownEvent {
  kind: "unknown";
  type: string;
}

/**
 * A relevant type in a shape that cannot be read. It must fail visibly, so that it can be retried after
 * a fix. Treated as unknown, a payment would be lost silently.
 */
export interface MalformedEvent {
  kind: "malformed";
  type: string;
  /** Names fields and no values. */
  problem: string;
}

/** One webhook delivery, normalised. */
export interface Delivery {
  /** Null if the provider gave none: then the payload's hash identifies the delivery. */
  providerEventId: string | null;
  /** The provider's own event type. */
  type: string;
  /** Read from the payload at each use: a copy of a finished delivery needs none. */
  readonly events: BillingEvent[];
}
