import type { StripeIntent, StripeKeptCard, StripeSetup } from "./kept-card-state";
import { nowInSeconds } from "./stripe-state";

const SESSION_SECONDS = 24 * 60 * 60;

export function renderKeptCard({ id, customer, brand, last4, created }: StripeKeptCard) {
  return {
    ...{ id, object: "payment_method", created, customer, livemode: false, metadata: {} },
    type: "card",
    card: { brand, display_brand: brand, exp_month: 12, exp_year: 2034, funding: "credit", last4 },
  };
}

export function renderSetupSession(setup: StripeSetup, baseUrl: string) {
  const { id, status, customer, metadata, created } = setup;
  return {
    ...{
      id,
      object: "checkout.session",
      livemode: false,
      mode: "setup",
      created,
      customer,
      metadata,
    },
    ...{ amount_subtotal: null, amount_total: null, currency: null, currency_conversion: null },
    ...{ customer_email: null, payment_intent: null, subscription: null, total_details: null },
    cancel_url: setup.cancelUrl,
    client_reference_id: setup.clientReferenceId,
    expires_at: created + SESSION_SECONDS,
    payment_status: "no_payment_required",
    setup_intent: setup.setupIntent,
    status,
    success_url: setup.successUrl,
    url: status === "open" ? `${baseUrl}/c/setup/${id}` : null,
  };
}

export function renderSetupIntent(setup: StripeSetup, card: StripeKeptCard) {
  return {
    id: setup.setupIntent,
    object: "setup_intent",
    created: nowInSeconds(),
    customer: setup.customer,
    last_setup_error: null,
    livemode: false,
    metadata: setup.setupMetadata,
    payment_method: card.id,
    payment_method_types: ["card"],
    status: "succeeded",
    usage: "off_session",
  };
}

export function renderIntent(intent: StripeIntent) {
  const { id, amount, currency, customer, metadata, created, status, error } = intent;
  return {
    ...{ id, object: "payment_intent", amount, currency, customer, metadata, created, status },
    amount_received: status === "succeeded" ? amount : 0,
    canceled_at: intent.canceledAt,
    cancellation_reason: null,
    capture_method: "automatic",
    last_payment_error: error && {
      ...{ type: "card_error", code: error.code, message: error.message },
      ...(error.declineCode ? { decline_code: error.declineCode } : {}),
    },
    latest_charge: intent.charge,
    livemode: false,
    next_action: status === "requires_action" ? { type: "use_stripe_sdk" } : null,
    // Stripe takes a card that failed off the payment.
    payment_method: status === "requires_payment_method" ? null : intent.card,
    payment_method_types: ["card"],
  };
}
