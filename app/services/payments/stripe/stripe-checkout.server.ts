import type Stripe from "stripe";
import type { CatalogItem } from "~/catalog";
import type { StripeCheckoutOptions } from "~/env/payments";
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
  request: CheckoutRequest & { item: CatalogItem; priceId: string; options: StripeCheckoutOptions },
): Promise<Checkout> {
  const metadata = writeMetadata(request.userId, request.item);
  const { invoices } = request.options;
  const forMode: Stripe.Checkout.SessionCreateParams =
    request.item.type === "pack"
      ? {
          mode: "payment",
          payment_intent_data: { metadata },
          ...(invoices ? { invoice_creation: { enabled: true } } : {}),
        }
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
        ...taxParams(request),
        ...(request.options.promotionCodes ? { allow_promotion_codes: true } : {}),
      },
      { idempotencyKey: request.requestId },
    ),
  );
  if (!session.url) throw providerError(new Error("the session has no address"));
  return {
    sessionId: session.id,
    url: session.url,
    expiresAt: new Date(session.expires_at * 1000),
  };
}

/**
 * Stripe calculates the tax from the address that the buyer enters. It refuses to keep that address, and
 * a company's name, on an existing customer unless `customer_update` says so.
 */
function taxParams({
  customerId,
  options,
}: Pick<CheckoutRequest, "customerId"> & { options: StripeCheckoutOptions }): Pick<
  Stripe.Checkout.SessionCreateParams,
  "automatic_tax" | "tax_id_collection" | "customer_update"
> {
  if (!options.automaticTax) return {};
  return {
    automatic_tax: { enabled: true },
    tax_id_collection: { enabled: true },
    ...(customerId ? { customer_update: { name: "auto", address: "auto" } } : {}),
  };
}
