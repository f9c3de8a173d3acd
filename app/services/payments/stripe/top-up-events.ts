import { z } from "zod";
import type { BillingEvent } from "~/services/payments/billing-event";
import { readCardMetadata, readTopUpMetadata } from "~/services/payments/billing-metadata";
import { currency, id, minorUnits, orNull, reference } from "~/services/payments/payload";

/** Reads the fields that tell whether it is ours, so that the shape of a foreign one can't fail a delivery. */
export const stripeSetupIntent = z.object({
  customer: orNull(reference).catch(null),
  payment_method: orNull(reference).catch(null),
  metadata: z.unknown().optional(),
});

export const stripeIntent = z.object({
  id: orNull(id).catch(null),
  customer: orNull(reference).catch(null),
  amount_received: orNull(minorUnits).catch(null),
  currency: orNull(currency).catch(null),
  metadata: z.unknown().optional(),
});

/** `setup_intent.succeeded`: a page of ours kept a card. */
export function readSetupEvent(
  setup: z.output<typeof stripeSetupIntent>,
  type: string,
): BillingEvent {
  const ours = readCardMetadata(setup.metadata);
  if (!ours) return { kind: "unknown", type };
  const { customer: customerId, payment_method: paymentMethodId } = setup;
  if (customerId === null || paymentMethodId === null)
    return { kind: "malformed", type, problem: "customer or payment_method: missing" };
  return { kind: "card_kept", customerId, paymentMethodId, ...ours };
}

/**
 * `payment_intent.succeeded`, `.payment_failed` and `.canceled`, of payments with a kept card alone. Those of checkouts and
 * invoices have events of their own.
 */
export function readIntentEvent(intent: z.output<typeof stripeIntent>, type: string): BillingEvent {
  const ours = readTopUpMetadata(intent.metadata);
  if (!ours) return { kind: "unknown", type };
  const { id: paymentId, customer: customerId, amount_received: amount, currency } = intent;
  if (paymentId === null) return { kind: "malformed", type, problem: "id: missing" };
  if (type !== "payment_intent.succeeded") return { kind: "top_up_failed", paymentId, ...ours };
  if (amount === null || currency === null)
    return { kind: "malformed", type, problem: "amount_received or currency: missing" };
  return { kind: "top_up_paid", paymentId, customerId, amount, currency, ...ours };
}
