import type { PaymentProviderName } from "~/env/payments";
import type { BillingEvent, InvoicePaid } from "~/services/payments/billing-event";

/** A payment of a pack whose checkout the provider does not name: Creem's transaction. */
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

/** How the events of a page are asked for: around every call, so that it can be tried again. */
export type Attempt = <T>(call: () => Promise<T>) => Promise<T>;

/**
 * What a provider has on record, as the billing events that its webhooks would have told of it, for
 * reconciliation. Only reads, a page at a time; what cannot be read comes as `malformed`.
 * Everything throws AppError 502 provider_error when the provider cannot be reached or refuses.
 */
export interface BillingRecords {
  readonly name: PaymentProviderName;
  /** Completed checkouts of packs, or where it cannot list those, what was paid for packs. */
  listPayments(since: Date): AsyncIterable<(BillingEvent | UnresolvedPayment)[]>;
  /** What was paid back or disputed since then. */
  listReversals(since: Date): AsyncIterable<BillingEvent[]>;
  /** All of them, ended ones included, as they are now: `occurredAt` is when they were asked for. */
  listSubscriptions(): AsyncIterable<BillingEvent[]>;
  /** What of a subscription was paid for, oldest first. */
  listPaidPeriods(subscription: {
    providerSubscriptionId: string;
    customerId: string | null;
  }): Promise<InvoicePaid[]>;
  /** One checkout; null where there is none, or it is not completed. */
  findCheckout(id: string): Promise<BillingEvent | null>;
}
