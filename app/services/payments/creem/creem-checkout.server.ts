import { z } from "zod";
import type { CatalogItem } from "~/catalog";
import { writeMetadata } from "~/services/payments/billing-metadata";
import type { CreemClient } from "~/services/payments/creem/creem-client.server";
import { id } from "~/services/payments/payload";
import { providerError } from "~/services/payments/payment-faults";
import type { Checkout, CheckoutRequest } from "~/services/payments/payment-provider.server";

/** Creem doesn't say how long a checkout stays open. A day is what Stripe's do. */
const ASSUMED_LIFE_MS = 24 * 60 * 60 * 1000;

const answer = z.object({ id, checkout_url: z.url({ protocol: /^https?$/ }) });

/**
 * Creates a hosted checkout for one pack or subscription. A Creem product has one price and interval.
 * @throws AppError 502 provider_error
 */
export async function createCreemCheckout(
  creem: CreemClient,
  request: CheckoutRequest & { item: CatalogItem; productId: string },
): Promise<Checkout> {
  const checkout = await creem.post(
    "/checkouts",
    {
      product_id: request.productId,
      request_id: request.requestId,
      units: 1,
      // Creem accepts one of the two, never both.
      customer: request.customerId ? { id: request.customerId } : { email: request.email },
      success_url: request.successUrl,
      metadata: {
        ...writeMetadata(request.userId, request.item),
        provider: "creem",
        request_id: request.requestId,
      },
    },
    answer,
  );
  if (!checkout) throw providerError(new Error("Creem /checkouts: status 404"));
  const expiresAt = new Date(Date.now() + ASSUMED_LIFE_MS);
  return { sessionId: checkout.id, url: checkout.checkout_url, expiresAt };
}
