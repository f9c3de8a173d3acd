import type Stripe from "stripe";
import { type CatalogItem, type SkuKey, slotOf } from "~/catalog";
import type { PaymentsEnv } from "~/env/payments";
import { paymentsUnavailable } from "~/services/payments/payment-faults";
import type {
  CheckoutRequest,
  PaymentProvider,
  ProviderUse,
} from "~/services/payments/payment-provider.server";
import { requirePortalWithoutChanges } from "~/services/payments/stripe/portal-without-changes.server";
import {
  cancelStripeSubscription,
  checkStripeSubscription,
  resumeStripeSubscription,
} from "~/services/payments/stripe/stripe-cancellation.server";
import {
  createStripeCheckout,
  expireStripeCheckout,
} from "~/services/payments/stripe/stripe-checkout.server";
import { createStripeClient, findAtStripe } from "~/services/payments/stripe/stripe-client.server";
import { readStripeDelivery } from "~/services/payments/stripe/stripe-delivery";
import { createStripeKeptCards } from "~/services/payments/stripe/stripe-kept-cards.server";
import { findStripeOutlook } from "~/services/payments/stripe/stripe-outlook.server";
import { createStripePlanChanges } from "~/services/payments/stripe/stripe-plan-changes.server";
import { findStripeSignatureFault } from "~/services/payments/stripe/stripe-signature.server";

export type StripeSettings = PaymentsEnv["stripe"];

/** Provider A, through its SDK. Settings may be incomplete: calls that lack one throw a 503. */
export function createStripeProvider(settings: StripeSettings): PaymentProvider {
  const { secretKey, webhookSecret, apiBase, prices, portalConfiguration } = settings;
  const { checkout: options } = settings;
  let client: Stripe | undefined;

  function listMissing(use: ProviderUse): string[] {
    const missing = secretKey ? [] : ["PROVIDER_A_SECRET_KEY"];
    if (use === "webhook" && !webhookSecret) missing.push("PROVIDER_A_WEBHOOK_SECRET");
    if (use !== "api" && use !== "webhook" && !prices[use])
      missing.push(`PROVIDER_A_PRICE_${use.toUpperCase()}`);
    return missing;
  }

  function requireClient(): Stripe {
    if (!secretKey) throw paymentsUnavailable(listMissing("api"));
    client ??= createStripeClient({ secretKey, apiBase });
    return client;
  }

  function requirePackPrice(skuKey: SkuKey): string {
    const slot = slotOf({ type: "pack", skuKey });
    const priceId = prices[slot];
    if (!priceId) throw paymentsUnavailable(listMissing(slot));
    return priceId;
  }

  function createCheckout(request: CheckoutRequest, item: CatalogItem) {
    const slot = slotOf(item);
    const priceId = prices[slot];
    if (!secretKey || !priceId) throw paymentsUnavailable(listMissing(slot));
    return createStripeCheckout(requireClient(), { ...request, item, priceId, options });
  }

  return {
    name: "stripe",
    listMissing,

    createPackCheckout: async ({ skuKey, ...request }) =>
      createCheckout(request, { type: "pack", skuKey }),

    createSubscriptionCheckout: async ({ planKey, period, ...request }) =>
      createCheckout(request, { type: "plan", planKey, period }),

    expireCheckout: async ({ sessionId }) => expireStripeCheckout(requireClient(), sessionId),

    verifyWebhook(rawBody, headers) {
      if (!secretKey || !webhookSecret) throw paymentsUnavailable(listMissing("webhook"));
      const reason = findStripeSignatureFault(rawBody, headers, webhookSecret);
      if (reason) return { status: "invalid_signature", reason };
      const delivery = readStripeDelivery(rawBody, prices);
      return delivery ? { status: "verified", delivery } : { status: "invalid_payload" };
    },

    parseDelivery: (rawBody) => readStripeDelivery(rawBody, prices),

    checkSubscription: async (request) =>
      checkStripeSubscription(requireClient(), { ...request, prices }),

    cancelSubscription: async (request) =>
      cancelStripeSubscription(requireClient(), { ...request, prices }),

    resumeSubscription: async (request) =>
      resumeStripeSubscription(requireClient(), { ...request, prices }),

    planChanges: createStripePlanChanges({ prices, requireClient }),

    keptCards: createStripeKeptCards({ requireClient, priceOf: requirePackPrice }),

    findOutlook: async (request) => findStripeOutlook(requireClient(), request),

    async createPortal({ customerId, returnUrl, withoutPlanChanges }) {
      const stripe = requireClient();
      const configuration = withoutPlanChanges
        ? await requirePortalWithoutChanges(stripe, {
            configured: portalConfiguration,
            siteUrl: new URL(returnUrl),
          })
        : portalConfiguration;
      const session = await findAtStripe(
        () =>
          stripe.billingPortal.sessions.create({
            customer: customerId,
            return_url: returnUrl,
            ...(configuration ? { configuration } : {}),
          }),
        "customer",
      );
      return session ? { status: "created", url: session.url } : { status: "not_found" };
    },

    verifyReturn: () => false,
  };
}
