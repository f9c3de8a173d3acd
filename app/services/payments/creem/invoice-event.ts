import { z } from "zod";
import type { Prices } from "~/env/prices";
import type { BillingEvent, InvoicePaid, ListedPrice } from "~/services/payments/billing-event";
import { readMetadata } from "~/services/payments/billing-metadata";
import {
  type CreemSubscription,
  chooseProduct,
  creemSubscription,
  readListed,
} from "~/services/payments/creem/subscription-event";
import {
  currency,
  id,
  isoDate,
  minorUnits,
  orNull,
  reference,
  unixMilliseconds,
} from "~/services/payments/payload";

const instant = z.union([isoDate, unixMilliseconds]);

/**
 * Creem documents no invoice events; they are read in case they come. The period's field names are
 * those of Creem's transactions.
 */
export const creemInvoice = z.object({
  id: orNull(id),
  subscription: orNull(
    z.union([id.transform((bare) => creemSubscription.parse({ id: bare })), creemSubscription]),
  ),
  period_start: orNull(instant),
  period_end: orNull(instant),
  order: orNull(reference),
  amount: orNull(minorUnits),
  amount_paid: orNull(minorUnits),
  discount_amount: orNull(minorUnits),
  currency: orNull(currency),
});

/** Reads a paid or failed invoice. An invoice without a subscription is not ours. */
export function readInvoiceEvent(
  invoice: z.output<typeof creemInvoice>,
  context: { prices: Prices; type: string; paid: boolean; occurredAt: Date },
): BillingEvent {
  const { subscription } = invoice;
  if (!subscription) return { kind: "unknown", type: context.type };
  const facts = { ...readFacts(subscription, context.prices), invoiceId: invoice.id };
  if (!context.paid)
    return { kind: "invoice_failed", ...facts, isRenewal: true, occurredAt: context.occurredAt };
  const ofSubscription = paidPeriod(subscription, facts, context.occurredAt);
  return {
    ...ofSubscription,
    periodStart: invoice.period_start ?? ofSubscription.periodStart,
    periodEnd: invoice.period_end ?? ofSubscription.periodEnd,
    amount: invoice.amount_paid ?? invoice.amount ?? ofSubscription.amount,
    currency: invoice.currency ?? ofSubscription.currency,
    listed: listedOf(invoice) ?? ofSubscription.listed,
    payments: invoice.order ? paymentsOf(invoice.order) : ofSubscription.payments,
  };
}

/** `subscription.paid`: the subscription's period is paid for. Its payload already shows the new period. */
export function readPaidPeriod(
  subscription: CreemSubscription,
  { prices, occurredAt }: { prices: Prices; occurredAt: Date },
): InvoicePaid {
  return paidPeriod(subscription, readFacts(subscription, prices), occurredAt);
}

/** Creem's payloads have the amount in a transaction, which they may name by its id only. */
function paidPeriod(
  subscription: CreemSubscription,
  facts: ReturnType<typeof readFacts>,
  paidAt: Date,
): InvoicePaid {
  const { last_transaction: transaction } = subscription;
  return {
    kind: "invoice_paid",
    ...facts,
    covers: "period",
    periodStart: subscription.current_period_start_date,
    periodEnd: subscription.current_period_end_date,
    renewedAt: null,
    paidAt,
    amount: transaction?.amount_paid ?? transaction?.amount ?? null,
    currency: transaction?.currency ?? null,
    payments: transaction?.order ? paymentsOf(transaction.order) : [],
    listed: (transaction && listedOf(transaction)) ?? readListed(subscription, facts.priceId),
    replacesEarlier: false,
    unsold: [],
  };
}

/** The price before discounts, where the transaction says its discount: `amount` is what is left. */
function listedOf(transaction: {
  amount: number | null;
  discount_amount: number | null;
  currency: string | null;
}): ListedPrice | null {
  const { amount, discount_amount: discount, currency } = transaction;
  if (amount === null || discount === null || currency === null) return null;
  return { amount: amount + discount, currency };
}

/** Creem's order stands for all of its transaction. */
function paymentsOf(order: string): InvoicePaid["payments"] {
  return [{ id: order, amount: null }];
}

function readFacts(subscription: CreemSubscription, prices: Prices) {
  return {
    invoiceId: subscription.last_transaction_id ?? subscription.last_transaction?.id ?? null,
    providerSubscriptionId: subscription.id,
    customerId: subscription.customer,
    priceId: chooseProduct(subscription, prices),
    metadata: readMetadata(subscription.metadata),
  };
}
