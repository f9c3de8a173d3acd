import { z } from "zod";
import type { Prices } from "~/env/prices";
import type { BillingEvent, InvoicePaid } from "~/services/payments/billing-event";
import { readMetadata } from "~/services/payments/billing-metadata";
import {
  currency,
  id,
  minorUnits,
  orNull,
  reference,
  unixSeconds,
} from "~/services/payments/payload";
import { readLines, stripeLine } from "~/services/payments/stripe/invoice-lines";

const subscriptionDetails = z.object({
  subscription: orNull(reference),
  metadata: z.unknown().optional(),
});

export const stripeInvoice = z.object({
  id: orNull(id),
  customer: orNull(reference),
  lines: orNull(z.object({ data: z.array(stripeLine), has_more: orNull(z.boolean()) })),
  billing_reason: orNull(z.string()),
  status_transitions: orNull(z.object({ paid_at: orNull(unixSeconds) })),
  amount_paid: orNull(minorUnits),
  currency: orNull(currency),
  /** Not the end of the paid period: on a renewal it is where that period begins. */
  period_end: orNull(unixSeconds),
  created: orNull(unixSeconds),
  // Before 2025-03.
  subscription: orNull(reference),
  subscription_details: orNull(z.object({ metadata: z.unknown().optional() })),
  payment_intent: orNull(reference),
  // Since then, and only where it was asked for.
  payments: orNull(
    z.object({
      data: z.array(
        z.object({
          payment: orNull(z.object({ payment_intent: orNull(reference) })),
          amount_paid: orNull(minorUnits),
          status: orNull(z.string()),
        }),
      ),
    }),
  ),
  parent: orNull(z.object({ subscription_details: orNull(subscriptionDetails) })),
});

/** Reads a paid or failed invoice. An invoice without a subscription is not ours. */
export function readInvoiceEvent(
  invoice: z.output<typeof stripeInvoice>,
  context: { prices: Prices; type: string; paid: boolean; occurredAt: Date },
): BillingEvent {
  const details = invoice.parent?.subscription_details;
  const providerSubscriptionId = details?.subscription ?? invoice.subscription;
  if (!providerSubscriptionId) return { kind: "unknown", type: context.type };
  const { period, priceId, ...paid } = readLines(invoice.lines?.data ?? [], {
    prices: context.prices,
    currency: invoice.currency,
    subscriptionId: providerSubscriptionId,
    hasMore: invoice.lines?.has_more === true,
  });
  const facts = {
    invoiceId: invoice.id,
    providerSubscriptionId,
    customerId: invoice.customer,
    priceId,
    metadata: readMetadata(details?.metadata ?? invoice.subscription_details?.metadata),
  };
  if (!context.paid) {
    const { occurredAt } = context;
    return { kind: "invoice_failed", ...facts, isRenewal: isRenewal(invoice), occurredAt };
  }
  return {
    kind: "invoice_paid",
    ...facts,
    ...paid,
    periodStart: period?.start ?? null,
    periodEnd: period?.end ?? null,
    renewedAt: paid.covers === "hidden" ? readRenewal(invoice) : null,
    paidAt: invoice.status_transitions?.paid_at ?? invoice.created ?? context.occurredAt,
    amount: invoice.amount_paid,
    currency: invoice.currency,
    payments: readPayments(invoice),
  };
}

/** The payment intents that paid it, and what each paid. A single one, before 2025-03, paid all of it. */
function readPayments(invoice: z.output<typeof stripeInvoice>): InvoicePaid["payments"] {
  const listed = (invoice.payments?.data ?? []).flatMap(({ payment, amount_paid, status }) => {
    const id = payment?.payment_intent;
    return id && (status ?? "paid") === "paid" ? [{ id, amount: amount_paid }] : [];
  });
  if (listed.length > 0 || !invoice.payment_intent) return listed;
  return [{ id: invoice.payment_intent, amount: invoice.amount_paid }];
}

/** An invoice that a change of plan makes may fail while the old plan goes on, paid for. */
function isRenewal({ billing_reason: reason }: z.output<typeof stripeInvoice>): boolean {
  return reason === null || reason === "subscription_cycle";
}

/**
 * A payload shows at most ten lines, prorations first: after five plan changes in a period the
 * renewal's own line is missing. Its period begins at the invoice's `period_end`.
 */
function readRenewal({ billing_reason: reason, period_end: end }: z.output<typeof stripeInvoice>) {
  return reason === "subscription_cycle" ? end : null;
}

export const stripeInvoicePayment = z.object({
  invoice: orNull(reference),
  payment: orNull(z.object({ payment_intent: orNull(reference) })),
  amount_paid: orNull(minorUnits),
});

/** `invoice_payment.paid`: since 2025-03 only it says which payment intent paid an invoice. */
export function readInvoicePayment(
  { invoice, payment, amount_paid: amount }: z.output<typeof stripeInvoicePayment>,
  type: string,
): BillingEvent {
  const intentId = payment?.payment_intent;
  if (!invoice || !intentId) return { kind: "unknown", type };
  return { kind: "invoice_linked", invoiceId: invoice, intentId, amount };
}
