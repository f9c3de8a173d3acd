import { z } from "zod";
import type { BillingEvent, ReturnedPayment, ReturnState } from "~/services/payments/billing-event";
import { readMetadata } from "~/services/payments/billing-metadata";
import { withMetadata } from "~/services/payments/creem/payment-events";
import {
  currency,
  id,
  isoDate,
  minorUnits,
  orNull,
  reference,
  unixMilliseconds,
} from "~/services/payments/payload";

const instant = orNull(z.union([unixMilliseconds, isoDate]));

const returned = {
  transaction: z.object({
    id: orNull(id),
    created_at: instant,
    order: orNull(reference),
    subscription: orNull(reference),
    amount: orNull(minorUnits),
    amount_paid: orNull(minorUnits),
    refunded_amount: orNull(minorUnits),
  }),
  order: orNull(reference),
  subscription: orNull(withMetadata),
  checkout: orNull(withMetadata),
  created_at: instant,
};

export const creemRefund = z.object({
  ...returned,
  id: orNull(id),
  status: orNull(z.string()),
  refund_amount: minorUnits,
  refund_currency: currency,
});

export const creemDispute = z.object({ ...returned, id, amount: minorUnits, currency });

const REFUND_STATES = new Map<string, ReturnState>([
  ["pending", "pending"],
  ["succeeded", "succeeded"],
  ["failed", "failed"],
  ["canceled", "canceled"],
]);

/**
 * `refund.created`: the refund and, of its transaction, the cumulative figure. No second event tells how
 * a pending refund ended.
 */
export function readRefundEvents(
  refund: z.output<typeof creemRefund>,
  type: string,
): BillingEvent[] {
  const { refund_currency, refund_amount, transaction } = refund;
  const state = REFUND_STATES.get(refund.status ?? "succeeded");
  if (!state) return [{ kind: "malformed", type, problem: "status: unknown" }];
  const facts = { kind: "returned", of: "refund", payment: paymentOf(refund) } as const;
  const money = { currency: refund_currency, occurredAt: refund.created_at };
  const named: BillingEvent = {
    ...{ ...facts, ...money },
    ...{ returnId: refund.id, state, amount: refund_amount },
  };
  const figure: BillingEvent = {
    ...{ ...facts, ...money },
    ...{ returnId: null, state: "succeeded", amount: transaction.refunded_amount ?? 0 },
  };
  return transaction.refunded_amount ? [named, figure] : [named];
}

/** `dispute.created`. */
export function readDisputeEvent(dispute: z.output<typeof creemDispute>): BillingEvent {
  return {
    kind: "returned",
    of: "dispute",
    returnId: dispute.id,
    state: "open",
    amount: dispute.amount,
    currency: dispute.currency,
    payment: paymentOf(dispute),
    occurredAt: dispute.created_at,
  };
}

function paymentOf(
  source: Pick<
    z.output<typeof creemDispute>,
    "transaction" | "order" | "subscription" | "checkout"
  >,
): ReturnedPayment {
  const { transaction, order, subscription, checkout } = source;
  const orderId = order ?? transaction.order;
  return {
    paymentId: transaction.id ?? orderId,
    orderId,
    invoiceId: null,
    customerId: null,
    paidAt: transaction.created_at,
    checkoutId: checkout?.id ?? null,
    providerSubscriptionId: subscription?.id ?? transaction.subscription,
    chargedAmount: transaction.amount_paid ?? transaction.amount,
    metadata: readMetadata(checkout?.metadata) ?? readMetadata(subscription?.metadata),
  };
}
