import { z } from "zod";
import type { BillingEvent, ReversalFacts } from "~/services/payments/billing-event";
import { readMetadata } from "~/services/payments/billing-metadata";
import {
  currency,
  id,
  isoDate,
  minorUnits,
  orNull,
  reference,
  unixMilliseconds,
} from "~/services/payments/payload";

/** An object whose metadata matters; it may come as a bare id. */
const withMetadata = z.union([
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

const reversal = {
  transaction: z.object({
    id: orNull(id),
    created_at: orNull(z.union([unixMilliseconds, isoDate])),
    order: orNull(reference),
    subscription: orNull(reference),
    amount: orNull(minorUnits),
    amount_paid: orNull(minorUnits),
    refunded_amount: orNull(minorUnits),
  }),
  order: orNull(reference),
  subscription: orNull(withMetadata),
  checkout: orNull(withMetadata),
};

export const creemRefund = z.object({
  ...reversal,
  status: orNull(z.string()),
  refund_amount: minorUnits,
  refund_currency: currency,
});

export const creemDispute = z.object({ ...reversal, id, amount: minorUnits, currency });

/** `refund.created`. A failed refund pays nothing back. */
export function readRefundEvent(refund: z.output<typeof creemRefund>, type: string): BillingEvent {
  if (refund.status === "failed" || refund.status === "canceled") return { kind: "unknown", type };
  return {
    kind: "refunded",
    ...readReversal(refund),
    amountRefunded: refundedSoFar(refund),
    currency: refund.refund_currency,
  };
}

/**
 * Creem's cumulative figure, plus a refund that is still pending: the figure doesn't have it yet, and
 * no second event follows.
 */
function refundedSoFar({
  status,
  refund_amount,
  transaction,
}: z.output<typeof creemRefund>): number {
  const refunded = transaction.refunded_amount ?? 0;
  const isDone = status === null || status === "succeeded";
  const pending = isDone ? 0 : refund_amount;
  return Math.max(refunded + pending, refund_amount);
}

/** `dispute.created`. Creem's cumulative figure includes what is disputed. */
export function readDisputeEvent(dispute: z.output<typeof creemDispute>): BillingEvent {
  return {
    kind: "disputed",
    ...readReversal(dispute),
    disputeId: dispute.id,
    amount: Math.max(dispute.transaction.refunded_amount ?? 0, dispute.amount),
    currency: dispute.currency,
  };
}

function readReversal(
  source: Pick<z.output<typeof creemDispute>, keyof typeof reversal>,
): Omit<ReversalFacts, "currency"> {
  const { transaction, order, subscription, checkout } = source;
  return {
    paymentId: order ?? transaction.order,
    transactionId: transaction.id,
    customerId: null,
    paidAt: transaction.created_at,
    checkoutId: checkout?.id ?? null,
    providerSubscriptionId: subscription?.id ?? transaction.subscription,
    chargedAmount: transaction.amount_paid ?? transaction.amount,
    metadata: readMetadata(checkout?.metadata) ?? readMetadata(subscription?.metadata),
  };
}
