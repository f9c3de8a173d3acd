import { z } from "zod";
import { findItemByPrice, type Prices } from "~/env/prices";
import type { BillingEvent } from "~/services/payments/billing-event";
import { readMetadata } from "~/services/payments/billing-metadata";
import {
  currency,
  id,
  minorUnits,
  orNull,
  reference,
  unixSeconds,
} from "~/services/payments/payload";

const line = z.object({
  amount: orNull(z.int()),
  period: z.object({ start: unixSeconds, end: unixSeconds }),
  // Before 2025-03 the line itself had its kind, its price and whether it is a proration.
  type: orNull(z.string()),
  proration: orNull(z.boolean()),
  price: orNull(reference),
  // Since then these are under its parent and pricing.
  parent: orNull(
    z.object({
      type: orNull(z.string()),
      subscription_item_details: orNull(z.object({ proration: orNull(z.boolean()) })),
    }),
  ),
  pricing: orNull(z.object({ price_details: orNull(z.object({ price: orNull(reference) })) })),
});

type Line = z.output<typeof line>;

const subscriptionDetails = z.object({
  subscription: orNull(reference),
  metadata: z.unknown().optional(),
});

export const stripeInvoice = z.object({
  id: orNull(id),
  customer: orNull(reference),
  lines: orNull(z.object({ data: z.array(line), has_more: orNull(z.boolean()) })),
  billing_reason: orNull(z.string()),
  amount_paid: orNull(minorUnits),
  currency: orNull(currency),
  /** Not the end of the paid period: on a renewal it is where that period begins. */
  period_end: orNull(unixSeconds),
  // Before 2025-03.
  subscription: orNull(reference),
  subscription_details: orNull(z.object({ metadata: z.unknown().optional() })),
  payment_intent: orNull(reference),
  // Since then, and only where it was asked for.
  payments: orNull(
    z.object({
      data: z.array(z.object({ payment: orNull(z.object({ payment_intent: orNull(reference) })) })),
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
  const lines = invoice.lines?.data ?? [];
  const wholeLine = choosePeriodLine(lines.filter(isWholePeriod), context.prices);
  const isHidden = !wholeLine && invoice.lines?.has_more === true;
  const upgradeLine = isHidden
    ? undefined
    : choosePeriodLine(lines.filter(isPaidProration), context.prices);
  const paidLine = wholeLine ?? upgradeLine;
  const facts = {
    invoiceId: invoice.id,
    providerSubscriptionId,
    customerId: invoice.customer,
    priceId: paidLine ? priceOf(paidLine) : null,
    metadata: readMetadata(details?.metadata ?? invoice.subscription_details?.metadata),
  };
  if (!context.paid) {
    const { occurredAt } = context;
    return { kind: "invoice_failed", ...facts, isRenewal: isRenewal(invoice), occurredAt };
  }
  return {
    kind: "invoice_paid",
    ...facts,
    covers: coverage(wholeLine, upgradeLine, isHidden),
    periodStart: paidLine?.period.start ?? null,
    periodEnd: paidLine?.period.end ?? null,
    renewedAt: isHidden ? readRenewal(invoice) : null,
    paidAt: null,
    amount: invoice.amount_paid,
    currency: invoice.currency,
    intentId: invoice.payment_intent ?? readIntent(invoice),
  };
}

function coverage(
  wholeLine: Line | undefined,
  upgradeLine: Line | undefined,
  isHidden: boolean,
): "period" | "trial" | "upgrade" | "hidden" | "nothing" {
  // The line of a trial costs nothing. A discount leaves the line's amount as it is.
  if (wholeLine) return wholeLine.amount === 0 ? "trial" : "period";
  if (upgradeLine) return "upgrade";
  return isHidden ? "hidden" : "nothing";
}

function readIntent({ payments }: z.output<typeof stripeInvoice>): string | null {
  const intents = (payments?.data ?? []).flatMap(({ payment }) => payment?.payment_intent ?? []);
  return intents[0] ?? null;
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

/** Prefers lines in the catalog, and among several the one that reaches furthest. */
function choosePeriodLine(lines: Line[], prices: Prices): Line | undefined {
  const sold = lines.filter((candidate) => findItemByPrice(prices, priceOf(candidate)));
  return (sold.length > 0 ? sold : lines).toSorted(
    (a, b) => b.period.end.getTime() - a.period.end.getTime(),
  )[0];
}

/**
 * Whether the line charges a change of plan for the rest of a period. Its counterpart, which pays back
 * the rest of the old plan, is negative.
 */
function isPaidProration(line: Line): boolean {
  return !isWholePeriod(line) && (line.amount ?? 0) > 0;
}

/** The line of a whole period. The invoice's own `period_end` is something else. */
function isWholePeriod({ type, proration, parent }: Line): boolean {
  if (parent) {
    const { type: kind, subscription_item_details: details } = parent;
    return kind === "subscription_item_details" && !details?.proration;
  }
  return type === "subscription" && !proration;
}

function priceOf({ price, pricing }: Line): string | null {
  return pricing?.price_details?.price ?? price;
}

export const stripeInvoicePayment = z.object({
  invoice: orNull(reference),
  payment: orNull(z.object({ payment_intent: orNull(reference) })),
});

/** `invoice_payment.paid`: since 2025-03 only it says which payment intent paid an invoice. */
export function readInvoicePayment(
  { invoice, payment }: z.output<typeof stripeInvoicePayment>,
  type: string,
): BillingEvent {
  const intentId = payment?.payment_intent;
  if (!invoice || !intentId) return { kind: "unknown", type };
  return { kind: "invoice_linked", invoiceId: invoice, intentId };
}
