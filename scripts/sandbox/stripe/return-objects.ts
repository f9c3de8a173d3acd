import type { StripeDispute, StripePayment, StripeRefund, StripeState } from "./stripe-state";

/** Minor units refunded so far: Stripe counts every refund that hasn't failed and isn't canceled. */
export function refundedOf({ refunds }: StripeState, { id }: StripePayment): number {
  return Object.values(refunds)
    .filter(({ payment, status }) => payment === id && !["failed", "canceled"].includes(status))
    .reduce((sum, { amount }) => sum + amount, 0);
}

export function renderCharge(state: StripeState, payment: StripePayment) {
  const refunded = refundedOf(state, payment);
  return {
    id: payment.charge,
    object: "charge",
    amount: payment.amount,
    amount_refunded: refunded,
    created: payment.created,
    currency: payment.currency,
    customer: payment.customer,
    disputed: Object.values(state.disputes).some((dispute) => dispute.payment === payment.id),
    livemode: false,
    metadata: payment.metadata,
    paid: true,
    payment_intent: payment.id,
    refunded: refunded === payment.amount,
    status: "succeeded",
  };
}

export function renderRefund(refund: StripeRefund, payment: StripePayment) {
  const { id, amount, currency, status, created } = refund;
  return {
    id,
    object: "refund",
    amount,
    charge: payment.charge,
    created,
    currency,
    ...(status === "failed" ? { failure_reason: "expired_or_canceled_card" } : {}),
    metadata: {},
    payment_intent: payment.id,
    reason: "requested_by_customer",
    status,
  };
}

export function renderDispute(dispute: StripeDispute, payment: StripePayment) {
  const { id, amount, currency, status, created } = dispute;
  return {
    id,
    object: "dispute",
    amount,
    charge: payment.charge,
    created,
    currency,
    is_charge_refundable: status.startsWith("warning_"),
    livemode: false,
    metadata: {},
    payment_intent: payment.id,
    reason: "fraudulent",
    status,
  };
}
