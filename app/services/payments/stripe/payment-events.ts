import { z } from "zod";
import type { BillingEvent } from "~/services/payments/billing-event";
import { readMetadata } from "~/services/payments/billing-metadata";
import { currency, id, minorUnits, orNull, reference } from "~/services/payments/payload";

export const stripeSession = z.object({
  id,
  mode: z.string(),
  payment_status: z.string(),
  payment_intent: orNull(reference),
  subscription: orNull(reference),
  customer: orNull(reference),
  amount_subtotal: orNull(minorUnits),
  amount_total: orNull(minorUnits),
  currency: orNull(currency),
  /**
   * Adaptive Pricing, on endpoints with API versions before 2025-03-31: there `currency` and the
   * amounts are the buyer's. Later versions keep ours and put the buyer's in `presentment_details`.
   */
  currency_conversion: orNull(z.object({ amount_subtotal: minorUnits, source_currency: currency })),
  metadata: z.unknown().optional(),
});

/** `checkout.session.completed`; a session that only saves a card (`setup`) is not ours. */
export function readSessionEvent(
  session: z.output<typeof stripeSession>,
  type: string,
): BillingEvent {
  if (session.mode !== "payment" && session.mode !== "subscription")
    return { kind: "unknown", type };
  if (session.amount_total === null || session.currency === null)
    return { kind: "malformed", type, problem: "amount_total or currency: missing" };
  return {
    kind: "checkout_completed",
    checkoutId: session.id,
    mode: session.mode,
    paymentStatus:
      session.payment_status === "paid" || session.payment_status === "no_payment_required"
        ? session.payment_status
        : "unpaid",
    paymentId: session.payment_intent,
    customerId: session.customer,
    subscriptionId: session.subscription,
    amount: session.amount_total,
    currency: session.currency,
    listed: readListed(session),
    productId: null,
    metadata: readMetadata(session.metadata),
  };
}

function readListed(session: z.output<typeof stripeSession>) {
  const { currency_conversion: converted, amount_subtotal: subtotal, currency } = session;
  if (converted) return { amount: converted.amount_subtotal, currency: converted.source_currency };
  // Without a subtotal the total stands in: it is no more than the price, taxes aside.
  const amount = subtotal ?? session.amount_total;
  return amount !== null && currency !== null ? { amount, currency } : null;
}
