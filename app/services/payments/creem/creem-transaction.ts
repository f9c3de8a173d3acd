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

/** All of these statuses were paid; the name tells what happened afterwards. */
const PAID = ["paid", "partially_refunded", "refunded", "chargeback"];

const status = z.string().transform((name) => ({
  paid: PAID.includes(name),
  isDisputed: name === "chargeback",
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

/** A transaction's refund or dispute as an event; unknown if there was none. */
export function readReversalOf(transaction: z.output<typeof creemTransaction>): BillingEvent {
  const { refunded_amount: returned, order, subscription } = transaction;
  if (!returned || !order) return { kind: "unknown", type: "transaction" };
  const facts = {
    paymentId: order,
    transactionId: transaction.id,
    customerId: null,
    paidAt: transaction.created_at,
    checkoutId: null,
    providerSubscriptionId: subscription,
    chargedAmount: transaction.amount_paid ?? transaction.amount,
    currency: transaction.currency,
    metadata: null,
  };
  return transaction.status.isDisputed
    ? { kind: "disputed", ...facts, disputeId: transaction.id, amount: returned }
    : { kind: "refunded", ...facts, amountRefunded: returned };
}
