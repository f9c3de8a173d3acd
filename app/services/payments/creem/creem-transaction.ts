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

/** Each of these took the money; what came after is told by its name. */
const PAID = ["paid", "partially_refunded", "refunded", "chargeback"];

const status = z.string().transform((name) => ({
  paid: PAID.includes(name),
  isDisputed: name === "chargeback",
  /** Whether the period that it paid for still is: what was paid back is the operator's. */
  keepsPeriod: name === "paid" || name === "partially_refunded",
}));

/** A transaction of `GET /v1/transactions/search`. */
export const creemTransaction = z.object({
  id,
  order: orNull(reference),
  subscription: orNull(reference),
  status,
  amount: minorUnits,
  amount_paid: orNull(minorUnits),
  /** Cumulative; what is disputed counts, too. */
  refunded_amount: orNull(minorUnits),
  currency,
  created_at: z.union([unixMilliseconds, isoDate]),
});

/** What of a transaction was paid back or disputed, as its event; unknown where nothing was. */
export function readReversalOf(transaction: z.output<typeof creemTransaction>): BillingEvent {
  const { refunded_amount: returned, order, subscription } = transaction;
  if (!returned || !order) return { kind: "unknown", type: "transaction" };
  const facts = {
    paymentId: order,
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
