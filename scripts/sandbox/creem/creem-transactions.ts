import type { Charge } from "../payments/control-actions";
import type { CreemBehavior } from "./creem-behavior";
import type { CreemOrder, CreemRefund, CreemState } from "./creem-state";

/** The amount that the buyer was charged. */
export function chargeOf({ charge, amount, currency }: CreemOrder): Charge {
  return charge ?? { amount, currency };
}

/** The sum of an order's refunds with these statuses. */
export function refundsOf(
  { refunds }: CreemState,
  { id }: CreemOrder,
  statuses: readonly CreemRefund["status"][],
): number {
  return Object.values(refunds)
    .filter(({ order, status }) => order === id && statuses.includes(status))
    .reduce((sum, { amount }) => sum + amount, 0);
}

/**
 * Renders a payment as it stands. Creem's sum counts a disputed amount as refunded, and a refund once it
 * has succeeded; what failed or was won counts no more.
 */
export function renderTransaction(
  order: CreemOrder,
  { state, behavior }: { state: CreemState; behavior: CreemBehavior },
) {
  const { period } = order;
  const { amount, currency } = chargeOf(order);
  const refunded = refundsOf(state, order, ["succeeded"]);
  const disputed = Object.values(state.disputes)
    .filter((dispute) => dispute.order === order.id && dispute.status !== "won")
    .reduce((sum, dispute) => sum + dispute.amount, 0);
  const words = behavior.sdkStatuses
    ? { part: "partialRefund", disputed: "chargedBack" }
    : { part: "partially_refunded", disputed: "chargeback" };
  const ofRefunds = refunded === 0 ? "paid" : refunded < amount ? words.part : "refunded";
  return {
    id: order.transaction,
    object: "transaction",
    amount,
    amount_paid: amount,
    currency: currency.toUpperCase(),
    type: order.subscription ? "invoice" : "payment",
    status: disputed > 0 ? words.disputed : ofRefunds,
    refunded_amount: Math.min(amount, refunded + disputed),
    ...(period
      ? { period_start: Date.parse(period.start), period_end: Date.parse(period.end) }
      : {}),
    customer: order.customer,
    created_at: Date.parse(order.createdAt),
    order: order.orderId,
    subscription: order.subscription,
    mode: "test",
  };
}
