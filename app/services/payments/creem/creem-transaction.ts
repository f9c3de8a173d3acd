import { z } from "zod";
import type { BillingEvent } from "~/services/payments/billing-event";
import {
  currency,
  id,
  isoDate,
  minorUnits,
  orNull,
  reference,
  unixMilliseconds,
} from "~/services/payments/payload";

/** All of these statuses were paid, in both of Creem's spellings; the name tells what happened afterwards. */
const PAID = [...["paid", "refunded", "partially_refunded", "partialRefund", "partiallyRefunded"]];

const DISPUTED = ["chargeback", "chargedBack"];

const status = z.string().transform((name) => ({
  paid: PAID.includes(name) || DISPUTED.includes(name),
  isDisputed: DISPUTED.includes(name),
}));

/** A transaction of `GET /v1/transactions/search`. */
export const creemTransaction = z.object({
  id,
  order: orNull(reference),
  subscription: orNull(reference),
  status,
  amount: minorUnits,
  amount_paid: orNull(minorUnits),
  /** Cumulative; includes disputed amounts. */
  refunded_amount: orNull(minorUnits),
  currency,
  created_at: z.union([unixMilliseconds, isoDate]),
});

/**
 * The sum that went back of a paid transaction: 0 once the last dispute was won or the last refund failed. It
 * holds refunds and disputes, and the status tells only that there was a dispute.
 */
export function readReturnOf(transaction: z.output<typeof creemTransaction>): BillingEvent {
  const { refunded_amount: amount, order, status } = transaction;
  const isWhole = status.paid && !status.isDisputed;
  if (amount === null || (amount === 0 && !isWhole))
    return { kind: "unknown", type: "transaction" };
  return {
    kind: "returned",
    ...(status.isDisputed
      ? ({ of: "dispute", state: "open" } as const)
      : ({ of: "refund", state: "succeeded" } as const)),
    returnId: null,
    amount,
    currency: transaction.currency,
    payment: {
      paymentId: transaction.id,
      orderId: order,
      invoiceId: null,
      customerId: null,
      paidAt: transaction.created_at,
      checkoutId: null,
      providerSubscriptionId: transaction.subscription,
      chargedAmount: transaction.amount_paid ?? transaction.amount,
      metadata: null,
    },
    occurredAt: null,
  };
}
