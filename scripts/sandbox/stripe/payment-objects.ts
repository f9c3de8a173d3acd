import type { SandboxPrice } from "../payments/sandbox-catalog";
import type { StripePayment, StripeSession } from "./stripe-state";

export function renderSession(session: StripeSession, price: SandboxPrice, baseUrl: string) {
  const isComplete = session.status === "complete";
  return {
    id: session.id,
    object: "checkout.session",
    amount_subtotal: price.amount,
    amount_total: price.amount,
    cancel_url: session.cancelUrl,
    client_reference_id: session.clientReferenceId,
    created: session.created,
    currency: price.currency,
    currency_conversion: null,
    customer: session.customer,
    customer_email: session.email,
    livemode: false,
    metadata: session.metadata,
    mode: session.mode,
    payment_intent: session.paymentIntent,
    payment_method_types: ["card"],
    payment_status: isComplete ? "paid" : "unpaid",
    status: session.status,
    subscription: session.subscription,
    success_url: session.successUrl,
    total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
    url: isComplete ? null : `${baseUrl}/c/pay/${session.id}`,
  };
}

export function renderCharge(payment: StripePayment) {
  return {
    id: payment.charge,
    object: "charge",
    amount: payment.amount,
    amount_refunded: payment.refunded,
    currency: payment.currency,
    customer: payment.customer,
    livemode: false,
    metadata: payment.metadata,
    paid: true,
    payment_intent: payment.id,
    refunded: payment.refunded === payment.amount,
    status: "succeeded",
  };
}

export function renderDispute(payment: StripePayment, dispute: { id: string; amount: number }) {
  return {
    id: dispute.id,
    object: "dispute",
    amount: dispute.amount,
    charge: payment.charge,
    currency: payment.currency,
    livemode: false,
    metadata: {},
    payment_intent: payment.id,
    reason: "fraudulent",
    status: "needs_response",
  };
}
