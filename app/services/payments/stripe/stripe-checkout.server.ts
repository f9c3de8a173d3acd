import type Stripe from "stripe";
import type { CatalogItem } from "~/catalog";
import type { StripeCheckoutOptions } from "~/env/payments";
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
  request: CheckoutRequest & { item: CatalogItem; priceId: string; options: StripeCheckoutOptions },
): Promise<Checkout> {
  const params = sessionParams(request);
  const { customerId, email, requestId } = request;
  const { sessions } = stripe.checkout;
  const known =
    customerId &&
    (await findAtStripe(
      () =>
        sessions.create(
          { ...params, ...customerParams(customerId, request.options) },
          { idempotencyKey: requestId },
        ),
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
  const expiresAt = new Date(session.expires_at * 1000);
  return { sessionId: session.id, url: session.url, expiresAt };
}

/**
 * Ends an open session. Stripe refuses to end any other one, which then stays as it is.
 * @throws AppError 502 provider_error
 */
export async function expireStripeCheckout(stripe: Stripe, sessionId: string): Promise<void> {
  const { sessions } = stripe.checkout;
  try {
    await findAtStripe(() => sessions.expire(sessionId));
  } catch (error) {
    const session = await findAtStripe(() => sessions.retrieve(sessionId));
    if (session?.status === "open") throw error;
  }
}

/**
 * With Stripe Tax, the tax follows from the address that the buyer enters. Stripe refuses to keep that
 * address, and a company's name, on an existing customer unless `customer_update` says so.
 */
function customerParams(
  customerId: string,
  { automaticTax }: StripeCheckoutOptions,
): Pick<Stripe.Checkout.SessionCreateParams, "customer" | "customer_update"> {
  return {
    customer: customerId,
    ...(automaticTax ? { customer_update: { name: "auto", address: "auto" } } : {}),
  };
}

function sessionParams(
  request: CheckoutRequest & { item: CatalogItem; priceId: string; options: StripeCheckoutOptions },
): Stripe.Checkout.SessionCreateParams {
  const metadata = writeMetadata(request, request.item);
  const { automaticTax, invoices, promotionCodes } = request.options;
  const forMode: Stripe.Checkout.SessionCreateParams =
    request.item.type === "pack"
      ? {
          mode: "payment",
          payment_intent_data: { metadata },
          ...(invoices ? { invoice_creation: { enabled: true } } : {}),
        }
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
    ...(automaticTax
      ? { automatic_tax: { enabled: true }, tax_id_collection: { enabled: true } }
      : {}),
    ...(promotionCodes ? { allow_promotion_codes: true } : {}),
  };
}
