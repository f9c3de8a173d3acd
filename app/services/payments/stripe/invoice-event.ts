import { z } from "zod";
import { findItemByPrice, type Prices } from "~/env/prices";
import type { BillingEvent } from "~/services/payments/billing-event";
import { readMetadata } from "~/services/payments/billing-metadata";
import { id, orNull, reference, unixSeconds } from "~/services/payments/payload";

const line = z.object({
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
  /** Not the end of the paid period: on a renewal it is where that period begins. */
  period_end: orNull(unixSeconds),
  // Before 2025-03.
  subscription: orNull(reference),
  subscription_details: orNull(z.object({ metadata: z.unknown().optional() })),
  // Since then.
  parent: orNull(z.object({ subscription_details: orNull(subscriptionDetails) })),
});

/** Reads a paid or failed invoice. An invoice without a subscription is not ours. */
export function readInvoiceEvent(
  invoice: z.output<typeof stripeInvoice>,
  context: { prices: Prices; type: string; paid: boolean },
): BillingEvent {
  const details = invoice.parent?.subscription_details;
  const providerSubscriptionId = details?.subscription ?? invoice.subscription;
  if (!providerSubscriptionId) return { kind: "unknown", type: context.type };
  const paidLine = choosePeriodLine(invoice.lines?.data ?? [], context.prices);
  const facts = {
    invoiceId: invoice.id,
    providerSubscriptionId,
    customerId: invoice.customer,
    priceId: paidLine ? priceOf(paidLine) : null,
    metadata: readMetadata(details?.metadata ?? invoice.subscription_details?.metadata),
  };
  if (!context.paid) return { kind: "invoice_failed", ...facts };
  return {
    kind: "invoice_paid",
    ...facts,
    periodStart: paidLine?.period.start ?? null,
    periodEnd: paidLine?.period.end ?? null,
    ...(!paidLine && invoice.lines?.has_more ? { renewedAt: readRenewal(invoice) } : {}),
  };
}

/**
 * A payload shows at most ten lines, prorations first: after five plan changes in a period the
 * renewal's own line is missing. Its period begins at the invoice's `period_end`.
 */
function readRenewal({ billing_reason: reason, period_end: end }: z.output<typeof stripeInvoice>) {
  return reason === "subscription_cycle" ? end : null;
}

/**
 * The line that pays for a whole period; the invoice's own `period_end` is something else. Prorations
 * are skipped: they run to the end of a period whose own invoice may still be unpaid. Of the rest,
 * lines in the catalog are preferred, and among several the one that reaches furthest.
 */
function choosePeriodLine(lines: Line[], prices: Prices): Line | undefined {
  const whole = lines.filter(isWholePeriod);
  const sold = whole.filter((candidate) => findItemByPrice(prices, priceOf(candidate)));
  return (sold.length > 0 ? sold : whole).toSorted(
    (a, b) => b.period.end.getTime() - a.period.end.getTime(),
  )[0];
}

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
