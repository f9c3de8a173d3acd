import type { PaymentProviderName } from "~/env/payments";
import type { BillingEvent, InvoicePaid } from "~/services/payments/billing-event";

/** A pack's payment whose checkout the provider does not name: Creem's transaction. */
export interface UnresolvedPayment {
  kind: "payment";
  transactionId: string;
  /** As in the checkout's event. */
  paymentId: string;
  createdAt: Date;
  /** Minor units. */
  amount: number;
  currency: string;
}

/** A paid invoice of a subscription, by its provider's ids. */
export interface PaidInvoice {
  /** As of the period that it paid for. */
  invoiceId: string;
  providerSubscriptionId: string;
}

/** Wraps every call that loads a page of events, so that the call can be retried. */
export type Attempt = <T>(call: () => Promise<T>) => Promise<T>;

/**
 * A provider's records for reconciliation, as the billing events its webhooks would have sent.
 * Read-only, one page at a time; unreadable records come as `malformed`. Every call throws AppError 502
 * provider_error if the provider cannot be reached or refuses.
 */
export interface BillingRecords {
  readonly name: PaymentProviderName;
  /** Completed checkouts of packs, or, if the provider cannot list those, payments for packs. */
  listPayments(since: Date): AsyncIterable<(BillingEvent | UnresolvedPayment)[]>;
  /**
   * Payments with kept cards. `isUsed`: some were asked for. Where top-up is off and none were, nothing is listed: a key may lack the right
   * to.
   */
  listCharges(charges: { since: Date; isUsed: boolean }): AsyncIterable<BillingEvent[]>;
  /** Refunds and disputes since then. Of each payment concerned all of them, where the provider lists them. */
  listReturns(since: Date): AsyncIterable<BillingEvent[]>;
  /** All subscriptions in their current state, including ended ones. `occurredAt` is when they were read. */
  listSubscriptions(): AsyncIterable<BillingEvent[]>;
  /**
   * One subscription in its current state. Null if the provider does not have it: its API said so, with a
   * key that it accepted.
   */
  findSubscription(id: string): Promise<BillingEvent | null>;
  /** The paid periods of a subscription, oldest first. */
  listPaidPeriods(subscription: {
    providerSubscriptionId: string;
    customerId: string | null;
  }): Promise<InvoicePaid[]>;
  /** The invoices of subscriptions that were made since then and are paid. */
  listPaidInvoices(since: Date): AsyncIterable<PaidInvoice[]>;
  /**
   * One checkout; null if it does not exist or is not completed. A top-up's order has none: there `paymentId` says which
   * payment it is.
   */
  findCheckout(id: string, paymentId?: string): Promise<BillingEvent | null>;
}
