import { z } from "zod";
import type { CatalogItem } from "~/catalog";
import { writeMetadata } from "~/services/payments/billing-metadata";
import type { CreemClient } from "~/services/payments/creem/creem-client.server";
import { id } from "~/services/payments/payload";
import { ProviderRefusal, providerError, refusalOf } from "~/services/payments/payment-faults";
import type { Checkout, CheckoutRequest } from "~/services/payments/payment-provider.server";
import { log } from "~/utils/logger.server";

/** Creem doesn't say how long a checkout stays open. A day is what Stripe's do. */
const ASSUMED_LIFE_MS = 24 * 60 * 60 * 1000;

const response = z.object({ id, checkout_url: z.url({ protocol: /^https?$/ }) });

type CreemCheckoutRequest = CheckoutRequest & { item: CatalogItem; productId: string };

/**
 * Creates a hosted checkout for one pack or subscription. A Creem product has one price and interval.
 *
 * Creem does not say which part of a request it refuses. If one with a customer is a 400 or 404, the
 * customer may be unknown there, so it is tried once more with the email address alone.
 * @throws AppError 502 provider_error
 */
export async function createCreemCheckout(
  creem: CreemClient,
  request: CreemCheckoutRequest,
): Promise<Checkout> {
  const { customerId, email, requestId } = request;
  if (!customerId) return requestCheckout(creem, request, { email });
  try {
    return await requestCheckout(creem, request, { id: customerId });
  } catch (error) {
    const { status } = refusalOf(error);
    if (status !== 400 && status !== 404) throw error;
    log().warn({ provider: "creem", userId: request.userId }, "the provider may lack a customer");
    return requestCheckout(creem, { ...request, requestId: `${requestId}:new` }, { email });
  }
}

async function requestCheckout(
  creem: CreemClient,
  request: CreemCheckoutRequest,
  /** Creem accepts one of the two, never both. */
  customer: { id: string } | { email: string },
): Promise<Checkout> {
  const checkout = await creem.post(
    "/checkouts",
    {
      product_id: request.productId,
      request_id: request.requestId,
      units: 1,
      customer,
      success_url: request.successUrl,
      metadata: {
        ...writeMetadata(request, request.item),
        provider: "creem",
        request_id: request.requestId,
      },
    },
    response,
  );
  if (!checkout) throw providerError(new ProviderRefusal(404, "Creem /checkouts: status 404"));
  const expiresAt = new Date(Date.now() + ASSUMED_LIFE_MS);
  return { sessionId: checkout.id, url: checkout.checkout_url, expiresAt };
}
