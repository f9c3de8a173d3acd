import { z } from "zod";
import type { BillingEvent } from "~/services/payments/billing-event";
import { readMetadata } from "~/services/payments/billing-metadata";
import { currency, id, minorUnits, orNull, reference } from "~/services/payments/payload";

/** An object whose metadata matters; it may come as a bare id. */
export const withMetadata = z.union([
  id.transform((bare) => ({ id: bare, metadata: undefined })),
  z.object({ id, metadata: z.unknown().optional() }),
]);

export const creemCheckout = z.object({
  id,
  order: orNull(
    z.object({
      id,
      amount: minorUnits,
      /** Including tax, if Creem says it; `amount` excludes tax. */
      amount_paid: orNull(minorUnits),
      sub_total: orNull(minorUnits),
      discount_amount: orNull(minorUnits),
      currency,
      status: z.string(),
      type: orNull(z.string()),
      product: orNull(reference),
    }),
  ),
  product: orNull(z.union([id, z.object({ id: orNull(id), currency: orNull(currency) })])),
  customer: orNull(reference),
  subscription: orNull(withMetadata),
  metadata: z.unknown().optional(),
});

/** `checkout.completed`. A subscription that begins with a trial has no order yet. */
export function readCheckoutEvent(
  checkout: z.output<typeof creemCheckout>,
  type: string,
): BillingEvent {
  const { order, subscription, product } = checkout;
  if (!order && !subscription) return { kind: "malformed", type, problem: "order: missing" };
  const productCurrency = typeof product === "object" ? product?.currency : null;
  const productId = typeof product === "string" ? product : product?.id;
  return {
    kind: "checkout_completed",
    checkoutId: checkout.id,
    mode: subscription || order?.type === "recurring" ? "subscription" : "payment",
    paymentStatus: order ? (order.status === "paid" ? "paid" : "unpaid") : "no_payment_required",
    paymentId: order?.id ?? null,
    customerId: checkout.customer,
    subscriptionId: subscription?.id ?? null,
    amount: order ? (order.amount_paid ?? order.amount) : 0,
    currency: order?.currency ?? productCurrency ?? "",
    listed: order ? { amount: listedAmount(order), currency: order.currency } : null,
    productId: productId ?? order?.product ?? null,
    metadata: readMetadata(checkout.metadata) ?? readMetadata(subscription?.metadata),
  };
}

/**
 * `amount` is after discounts, and `sub_total` may exclude tax that a price includes, so the larger of
 * the two is the price.
 */
function listedAmount(order: {
  amount: number;
  sub_total: number | null;
  discount_amount: number | null;
}): number {
  return Math.max(order.sub_total ?? 0, order.amount + (order.discount_amount ?? 0));
}
