import type Stripe from "stripe";
import type { CatalogItem } from "~/catalog";
import { writeMetadata } from "~/services/payments/billing-metadata";
import { providerError } from "~/services/payments/payment-faults";
import type { Checkout, CheckoutRequest } from "~/services/payments/payment-provider.server";
import { callStripe, findAtStripe } from "~/services/payments/stripe/stripe-client.server";
import { log } from "~/utils/logger.server";

/**
 * Creates a hosted Checkout Session for one pack or subscription, by card only: payments that settle
 * days later are not handled. Our metadata also goes on the objects the session creates, so that a
 * refund can be matched to its order and a subscription to its user.
 *
 * If Stripe does not know the customer (deleted there, or test keys were exchanged for live ones), the
 * session is created once more for the email address alone. Its payment makes a new customer.
 * @throws AppError 502 provider_error
 */
export async function createStripeCheckout(
  stripe: Stripe,
  request: CheckoutRequest & { item: CatalogItem; priceId: string },
): Promise<Checkout> {
  const params = sessionParams(request);
  const { customerId, email, requestId } = request;
  const { sessions } = stripe.checkout;
  const known =
    customerId &&
    (await findAtStripe(
      () => sessions.create({ ...params, customer: customerId }, { idempotencyKey: requestId }),
      "customer",
    ));
  if (customerId && !known)
    log().warn({ provider: "stripe", userId: request.userId }, "the provider lost a customer");
  const session =
    known ||
    (await callStripe(() =>
      sessions.create(
        { ...params, customer_email: email },
        // The first key is bound to the first parameters.
        { idempotencyKey: customerId ? `${requestId}:new` : requestId },
      ),
    ));
  if (!session.url) throw providerError(new Error("the session has no address"));
  return { sessionId: session.id, url: session.url };
}

function sessionParams(
  request: CheckoutRequest & { item: CatalogItem; priceId: string },
): Stripe.Checkout.SessionCreateParams {
  const metadata = writeMetadata(request, request.item);
  const forMode: Pick<
    Stripe.Checkout.SessionCreateParams,
    "mode" | "payment_intent_data" | "subscription_data"
  > =
    request.item.type === "pack"
      ? { mode: "payment", payment_intent_data: { metadata } }
      : { mode: "subscription", subscription_data: { metadata } };
  return {
    ...forMode,
    // Replaces `payment_method_types` since 2026-09-30 ("endive").
    allowed_payment_method_types: ["card"],
    line_items: [{ price: request.priceId, quantity: 1 }],
    client_reference_id: request.userId,
    metadata,
    success_url: request.successUrl,
    cancel_url: request.cancelUrl,
  };
}
