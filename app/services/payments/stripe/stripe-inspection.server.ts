import type Stripe from "stripe";
import type { ProviderInspection } from "~/services/payments/provider-inspection.server";
import { listPortalFaults } from "~/services/payments/stripe/portal-rules";
import {
  callStripe,
  createStripeClient,
  findAtStripe,
} from "~/services/payments/stripe/stripe-client.server";
import { readStripePrice } from "~/services/payments/stripe/stripe-price";

/** Event types the endpoint must subscribe to. */
export const STRIPE_EVENT_TYPES = [
  "checkout.session.completed",
  "customer.subscription.created",
  "customer.subscription.updated",
  "customer.subscription.deleted",
  "invoice.paid",
  "invoice.payment_succeeded",
  "invoice.payment_failed",
  "invoice_payment.paid",
  "charge.refunded",
  "refund.created",
  "refund.updated",
  "refund.failed",
  "charge.refund.updated",
  "charge.dispute.created",
  "charge.dispute.updated",
  "charge.dispute.funds_withdrawn",
  "charge.dispute.funds_reinstated",
  "charge.dispute.closed",
];

/** Events that the endpoint also needs where automatic top-up is on. */
export const STRIPE_TOP_UP_EVENT_TYPES = [
  "setup_intent.succeeded",
  "payment_intent.succeeded",
  "payment_intent.payment_failed",
  "payment_intent.canceled",
];

/**
 * Inspects a Stripe account. A restricted key needs read access to prices, webhook endpoints, tax settings
 * and the customer portal.
 */
export function inspectStripe(settings: {
  secretKey: string;
  apiBase: string;
  portalConfiguration: string | null;
}): ProviderInspection {
  const stripe = createStripeClient(settings);
  return {
    async findPrice(id) {
      const price = await findAtStripe(() => stripe.prices.retrieve(id));
      return price && readStripePrice(price);
    },
    async listWebhookEndpoints() {
      const endpoints = await callStripe(() => stripe.webhookEndpoints.list({ limit: 100 }));
      return endpoints.data.map(({ url, status, enabled_events: events }) => ({
        url,
        enabled: status === "enabled",
        events,
      }));
    },
    async findPortal() {
      const found = await findConfiguration(stripe, settings.portalConfiguration);
      return found && { id: found.id, faults: listPortalFaults(found) };
    },
    async isTaxActive() {
      const settings = await callStripe(() => stripe.tax.settings.retrieve());
      return settings.status === "active";
    },
  };
}

async function findConfiguration(
  stripe: Stripe,
  id: string | null,
): Promise<Stripe.BillingPortal.Configuration | null> {
  const { configurations } = stripe.billingPortal;
  if (id !== null) return findAtStripe(() => configurations.retrieve(id));
  const { data } = await callStripe(() => configurations.list({ is_default: true, limit: 1 }));
  return data[0] ?? null;
}
