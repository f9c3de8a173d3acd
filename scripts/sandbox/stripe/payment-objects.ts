import type { SandboxPrice } from "../payments/sandbox-catalog";
import { createId } from "../payments/sandbox-id";
import { totalsOf } from "./session-totals";
import { nowInSeconds, type StripeSession } from "./stripe-state";

const SESSION_SECONDS = 24 * 60 * 60;

function paymentStatus(isComplete: boolean, total: number) {
  if (!isComplete) return "unpaid";
  return total === 0 ? "no_payment_required" : "paid";
}

/** The invoice of a one-time purchase: it names no subscription. */
export function renderOneTimeInvoice(session: StripeSession, price: SandboxPrice) {
  const { total } = totalsOf(session, price);
  return {
    id: createId("in_"),
    object: "invoice",
    amount_due: total,
    amount_paid: total,
    billing_reason: "manual",
    created: nowInSeconds(),
    currency: price.currency,
    customer: session.customer,
    lines: { object: "list", data: [] },
    livemode: false,
    metadata: {},
    parent: null,
    status: "paid",
  };
}

export function renderSession(session: StripeSession, price: SandboxPrice, baseUrl: string) {
  const isComplete = session.status === "complete";
  const { subtotal, discount, tax, total } = totalsOf(session, price);
  return {
    id: session.id,
    object: "checkout.session",
    allow_promotion_codes: session.options.promotionCodes,
    amount_subtotal: subtotal,
    amount_total: total,
    automatic_tax: { enabled: session.options.automaticTax },
    cancel_url: session.cancelUrl,
    client_reference_id: session.clientReferenceId,
    created: session.created,
    currency: price.currency,
    currency_conversion: null,
    customer: session.customer,
    customer_email: session.email,
    expires_at: session.created + SESSION_SECONDS,
    livemode: false,
    metadata: session.metadata,
    mode: session.mode,
    payment_intent: session.paymentIntent,
    payment_method_types: ["card"],
    payment_status: paymentStatus(isComplete, total),
    status: session.status,
    subscription: session.subscription,
    success_url: session.successUrl,
    total_details: { amount_discount: discount, amount_shipping: 0, amount_tax: tax },
    url: session.status !== "open" ? null : `${baseUrl}/c/pay/${session.id}`,
  };
}
