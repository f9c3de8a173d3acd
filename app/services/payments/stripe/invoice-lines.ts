import { z } from "zod";
import { findPlanOfPrice, isListedBelow, type Prices } from "~/env/prices";
import type { InvoicePaid, UnsoldLine } from "~/services/payments/billing-event";
import { currency, id, orNull, reference, unixSeconds } from "~/services/payments/payload";

const details = orNull(
  z.object({ proration: orNull(z.boolean()), subscription: orNull(reference) }),
);

export const stripeLine = z.object({
  id: orNull(id),
  amount: orNull(z.int()),
  currency: orNull(currency),
  quantity: orNull(z.number()),
  period: z.object({ start: unixSeconds, end: unixSeconds }),
  // Before 2025-03 the line itself had its kind, its price and whether it is a proration.
  type: orNull(z.string()),
  proration: orNull(z.boolean()),
  price: orNull(reference),
  subscription: orNull(reference),
  // Since then these are under its parent and pricing.
  parent: orNull(
    z.object({
      type: orNull(z.string()),
      subscription_item_details: details,
      invoice_item_details: details,
    }),
  ),
  pricing: orNull(z.object({ price_details: orNull(z.object({ price: orNull(reference) })) })),
});

type Line = z.output<typeof stripeLine>;

/** The sales that the lines of a subscription's invoice pay for. */
export interface InvoiceLines extends Pick<InvoicePaid, "covers" | "listed" | "replacesEarlier"> {
  priceId: string | null;
  period: { start: Date; end: Date } | null;
  unsold: UnsoldLine[];
}

/**
 * Reads what an invoice's lines pay for. Only a line of the subscription's own item makes a period, if it has
 * a length and a plan's price and is listed at no less than the plan costs; among several, the one that reaches
 * furthest. The rest of a period on a dearer plan (a proration) has no amount to compare.
 */
export function readLines(
  lines: Line[],
  context: { prices: Prices; currency: string | null; subscriptionId: string; hasMore: boolean },
): InvoiceLines {
  const kinds = lines.map((line) => kindOf(line, context));
  const furthest = (wanted: LineKind) =>
    lines
      .filter((_line, at) => kinds[at] === wanted)
      .toSorted((a, b) => b.period.end.getTime() - a.period.end.getTime())[0];
  const whole = furthest("whole");
  const isHidden = !whole && context.hasMore;
  const paid = whole ?? (isHidden ? undefined : furthest("rest"));
  const unsold = lines.flatMap((line, at) =>
    kinds[at] === "unsold" ? [describeUnsold(line, at, context.currency)] : [],
  );
  return {
    priceId: paid ? priceOf(paid) : null,
    period: paid?.period ?? null,
    covers: coverage(whole, paid, isHidden),
    listed: whole ? listedOf(whole, context.currency) : null,
    replacesEarlier: kinds.includes("unused"),
    unsold,
  };
}

type LineKind =
  /** A whole period or a trial of a plan. */
  | "whole"
  /** The rest of a period, charged after a change of plan. */
  | "rest"
  /** The unused time of a plan, paid back. */
  | "unused"
  /** A proration of 0. */
  | "empty"
  | "unsold";

function kindOf(
  line: Line,
  {
    prices,
    currency,
    subscriptionId,
  }: { prices: Prices; currency: string | null; subscriptionId: string },
): LineKind {
  const plan = findPlanOfPrice(prices, priceOf(line));
  const { isOwnItem, isProration, subscription } = originOf(line);
  const isOurs = subscription === null || subscription === subscriptionId;
  if (!plan || !isOurs || line.period.start >= line.period.end) return "unsold";
  if (isProration) return kindOfProration(line.amount ?? 0);
  if (!isOwnItem) return "unsold";
  if (line.amount === 0) return line.quantity === 0 ? "unsold" : "whole";
  const listed = listedOf(line, currency);
  if ((line.amount ?? 0) < 0 || isListedBelow(listed, plan)) return "unsold";
  return "whole";
}

function kindOfProration(amount: number): LineKind {
  if (amount === 0) return "empty";
  return amount > 0 ? "rest" : "unused";
}

/**
 * Where a line comes from: the subscription's item, or an item added to the invoice. In classic billing mode
 * the prorations of a change of plan are added items, too.
 */
function originOf({ type, proration, subscription, parent }: Line) {
  if (!parent) {
    const isOwnItem = type === "subscription";
    return { isOwnItem, isProration: proration === true, subscription };
  }
  const isOwnItem = parent.type === "subscription_item_details";
  const origin = isOwnItem
    ? parent.subscription_item_details
    : parent.type === "invoice_item_details"
      ? parent.invoice_item_details
      : null;
  return {
    isOwnItem,
    isProration: origin?.proration === true,
    subscription: origin?.subscription ?? null,
  };
}

function coverage(
  whole: Line | undefined,
  paid: Line | undefined,
  isHidden: boolean,
): InvoicePaid["covers"] {
  // The line of a trial costs nothing. A discount leaves the line's amount as it is.
  if (whole) return whole.amount === 0 ? "trial" : "period";
  if (paid) return "upgrade";
  return isHidden ? "hidden" : "nothing";
}

/** Null for a trial, which costs nothing. */
function listedOf({ amount, currency }: Line, ofInvoice: string | null): InvoicePaid["listed"] {
  const inCurrency = currency ?? ofInvoice;
  return amount && inCurrency ? { amount, currency: inCurrency } : null;
}

function describeUnsold(line: Line, at: number, ofInvoice: string | null): UnsoldLine {
  return {
    lineId: line.id ?? String(at),
    priceId: priceOf(line),
    amount: line.amount,
    currency: line.currency ?? ofInvoice,
    startsAt: line.period.start,
    endsAt: line.period.end,
  };
}

function priceOf({ price, pricing }: Line): string | null {
  return pricing?.price_details?.price ?? price;
}
