import type Stripe from "stripe";
import type { CatalogItem } from "~/catalog";
import { writeMetadata } from "~/services/payments/billing-metadata";
import { providerError } from "~/services/payments/payment-faults";
import type { Checkout, CheckoutRequest } from "~/services/payments/payment-provider.server";
import { callStripe } from "~/services/payments/stripe/stripe-client.server";

/**
 * Creates a hosted Checkout Session for one pack or subscription, by card only: payments that settle
 * days later are not handled. Our metadata also goes on the objects the session creates, so that a
 * refund can be matched to its order and a subscription to its user.
 * @throws AppError 502 provider_error
 */
export async function createStripeCheckout(
  stripe: Stripe,
  request: CheckoutRequest & { item: CatalogItem; priceId: string },
): Promise<Checkout> {
  const metadata = writeMetadata(request.userId, request.item);
  const forMode: Pick<
    Stripe.Checkout.SessionCreateParams,
    "mode" | "payment_intent_data" | "subscription_data"
  > =
    request.item.type === "pack"
      ? { mode: "payment", payment_intent_data: { metadata } }
      : { mode: "subscription", subscription_data: { metadata } };
  const session = await callStripe(() =>
    stripe.checkout.sessions.create(
      {
        ...forMode,
        // Replaces `payment_method_types` since 2026-09-30 ("endive").
        allowed_payment_method_types: ["card"],
        line_items: [{ price: request.priceId, quantity: 1 }],
        client_reference_id: request.userId,
        metadata,
        success_url: request.successUrl,
        cancel_url: request.cancelUrl,
        ...(request.customerId
          ? { customer: request.customerId }
          : { customer_email: request.email }),
      },
      { idempotencyKey: request.requestId },
    ),
  );
  if (!session.url) throw providerError(new Error("the session has no address"));
  return { sessionId: session.id, url: session.url };
}
