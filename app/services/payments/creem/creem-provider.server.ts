import { z } from "zod";
import { type CatalogItem, slotOf } from "~/catalog";
import type { PaymentsEnv } from "~/env/payments";
import {
  cancelCreemSubscription,
  checkCreemSubscription,
  resumeCreemSubscription,
} from "~/services/payments/creem/creem-cancellation.server";
import { createCreemCheckout } from "~/services/payments/creem/creem-checkout.server";
import { type CreemClient, createCreemClient } from "~/services/payments/creem/creem-client.server";
import { readCreemDelivery } from "~/services/payments/creem/creem-delivery";
import { findCreemOutlook } from "~/services/payments/creem/creem-outlook.server";
import { createCreemPlanChanges } from "~/services/payments/creem/creem-plan-changes.server";
import {
  findCreemSignatureFault,
  isReturnSignedByCreem,
} from "~/services/payments/creem/creem-signature.server";
import { paymentsUnavailable } from "~/services/payments/payment-faults";
import type {
  CheckoutRequest,
  PaymentProvider,
  ProviderUse,
} from "~/services/payments/payment-provider.server";

export type CreemSettings = PaymentsEnv["creem"];

const portal = z.object({ customer_portal_link: z.url({ protocol: /^https?$/ }) });

/** Provider B, over its HTTP API. Settings may be incomplete: calls that lack one throw a 503. */
export function createCreemProvider(settings: CreemSettings): PaymentProvider {
  const { apiKey, webhookSecret, apiBase, signatureHeader, products } = settings;

  function listMissing(use: ProviderUse): string[] {
    const missing = apiKey ? [] : ["PROVIDER_B_API_KEY"];
    if (use === "webhook" && !webhookSecret) missing.push("PROVIDER_B_WEBHOOK_SECRET");
    if (use !== "api" && use !== "webhook" && !products[use])
      missing.push(`PROVIDER_B_PRODUCT_${use.toUpperCase()}`);
    return missing;
  }

  function requireClient(): CreemClient {
    if (!apiKey) throw paymentsUnavailable(listMissing("api"));
    return createCreemClient({ apiKey, apiBase });
  }

  function createCheckout(request: CheckoutRequest, item: CatalogItem) {
    const slot = slotOf(item);
    const productId = products[slot];
    if (!apiKey || !productId) throw paymentsUnavailable(listMissing(slot));
    return createCreemCheckout(requireClient(), { ...request, item, productId });
  }

  return {
    name: "creem",
    listMissing,

    createPackCheckout: async ({ skuKey, ...request }) =>
      createCheckout(request, { type: "pack", skuKey }),

    createSubscriptionCheckout: async ({ planKey, period, ...request }) =>
      createCheckout(request, { type: "plan", planKey, period }),

    expireCheckout: null,

    verifyWebhook(rawBody, headers) {
      if (!apiKey || !webhookSecret) throw paymentsUnavailable(listMissing("webhook"));
      const settings = { webhookSecret, signatureHeader };
      const reason = findCreemSignatureFault(rawBody, headers, settings);
      if (reason) return { status: "invalid_signature", reason };
      const delivery = readCreemDelivery(rawBody, products);
      return delivery ? { status: "verified", delivery } : { status: "invalid_payload" };
    },

    parseDelivery: (rawBody) => readCreemDelivery(rawBody, products),

    checkSubscription: async (request) =>
      checkCreemSubscription(requireClient(), { ...request, products }),

    cancelSubscription: async (request) =>
      cancelCreemSubscription(requireClient(), { ...request, products }),

    resumeSubscription: async (request) =>
      resumeCreemSubscription(requireClient(), { ...request, products }),

    planChanges: createCreemPlanChanges({ products, requireClient }),

    keptCards: null,

    findOutlook: async (request) => findCreemOutlook(requireClient(), request),

    // Creem's portal has the same features for everyone: `withoutPlanChanges` cannot be passed on.
    async createPortal({ customerId }) {
      const response = await requireClient().post(
        "/customers/billing",
        { customer_id: customerId },
        portal,
      );
      return response
        ? { status: "created", url: response.customer_portal_link }
        : { status: "not_found" };
    },

    verifyReturn: (parameters) => apiKey !== null && isReturnSignedByCreem(parameters, apiKey),
  };
}
