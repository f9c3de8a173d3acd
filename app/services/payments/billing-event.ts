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
  | PaymentReturned
  | CardKept
  | TopUpPaid
  | TopUpFailed
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
  listed: ListedPrice | null;
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

/** A price before discounts, exclusive taxes and credit, in minor units. */
export interface ListedPrice {
  amount: number;
  currency: string;
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
  /** The cost of that price per period, times its quantity. Null if the event doesn't say. */
  listed: ListedPrice | null;
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
  /** When it was paid; null where the event doesn't say. */
  paidAt: Date | null;
  /** The total paid, in minor units; null where the event doesn't say. */
  amount: number | null;
  currency: string | null;
  /**
   * The payments that paid it, by the ids that refunds and disputes name (Stripe: payment intents. Creem: the
   * order), where the payload has them, and what each paid of it; null where that isn't said.
   */
  payments: readonly { id: string; amount: number | null }[];
  /**
   * The cost of the line with the period before discounts, exclusive taxes and credit. Null where the event
   * doesn't say, and for the rest of a period: that has no price to compare.
   */
  listed: ListedPrice | null;
  /** Whether the invoice also credits unused time at a plan's price: its period replaces an earlier one. */
  replacesEarlier: boolean;
  /** Lines of our subscription that the catalog doesn't sell. They begin, extend and end nothing. */
  unsold: UnsoldLine[];
}

export interface UnsoldLine {
  /** Unique within its invoice. */
  lineId: string;
  /** Null if the line names no price. */
  priceId: string | null;
  /** Minor units, negative for a credit. */
  amount: number | null;
  currency: string | null;
  startsAt: Date | null;
  endsAt: Date | null;
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
  /** The part of the invoice that it paid, in minor units of the invoice's currency; null if the event doesn't say. */
  amount: number | null;
}

export type ReturnKind = "refund" | "dispute";

/** Later in its list is further: a refund or a dispute never goes back to an earlier state. */
export const RETURN_STATES = {
  refund: ["pending", "succeeded", "canceled", "failed"],
  dispute: ["inquiry", "open", "lost", "won"],
} as const satisfies Record<ReturnKind, readonly string[]>;
export type ReturnState = (typeof RETURN_STATES)[ReturnKind][number];

/** The names by which an event knows the payment that goes back. */
export interface ReturnedPayment {
  /** Stripe: the payment intent, or else the charge. Creem: the transaction, or else the order. */
  paymentId: string | null;
  /** Creem: the order. */
  orderId: string | null;
  /** Stripe, before 2025-03: the invoice that the charge names. */
  invoiceId: string | null;
  /** Known at Creem only. */
  checkoutId: string | null;
  /** Creem: set if a subscription's period was paid back. */
  providerSubscriptionId: string | null;
  /** Stripe's charges name the customer. */
  customerId: string | null;
  /** When the payment was made, if the event says it. */
  paidAt: Date | null;
  /** The total charged, if the event says it, in the currency of the return. */
  chargedAmount: number | null;
  metadata: BillingMetadata | null;
}

/** Money of a payment went back, or comes back: a refund or a dispute with its state, or a figure. */
export interface PaymentReturned {
  kind: "returned";
  of: ReturnKind;
  /**
   * The provider's own id of the refund or dispute. Null for a cumulative figure: everything of this kind
   * that went back of the payment so far. Creem's figures hold refunds and disputes.
   */
  returnId: string | null;
  state: ReturnState;
  amount: number;
  currency: string;
  payment: ReturnedPayment;
  occurredAt: Date | null;
}

/** A customer's card was kept, on a page that `requestId` names. */
export interface CardKept {
  kind: "card_kept";
  requestId: string;
  customerId: string;
  paymentMethodId: string;
  metadata: BillingMetadata;
}

interface TopUpFacts {
  topUpId: string;
  /** Stripe: the payment intent. */
  paymentId: string;
  metadata: BillingMetadata;
}

/** A kept card was charged. */
export interface TopUpPaid extends TopUpFacts {
  kind: "top_up_paid";
  customerId: string | null;
  /** The total charged. */
  amount: number;
  currency: string;
}

/** A kept card wasn't charged. Why not is asked, since it may take a cancellation at the provider. */
export interface TopUpFailed extends TopUpFacts {
  kind: "top_up_failed";
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
