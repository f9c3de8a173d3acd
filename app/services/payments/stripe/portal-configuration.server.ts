import type Stripe from "stripe";
import { callStripe, createStripeClient } from "~/services/payments/stripe/stripe-client.server";

/** Marks the configuration as ours. A provider account may serve several sites, so it also names ours. */
const PURPOSE = "customer-portal";

/**
 * In the portal our customers can pay, read their invoices, and cancel with the period. Changes of plan
 * and pauses are off, because both pay for unused time, and the credits of that time may be spent
 * already.
 */
const FEATURES = {
  customer_update: {
    enabled: true,
    allowed_updates: ["name", "email", "address", "phone", "tax_id"],
  },
  invoice_history: { enabled: true },
  payment_method_update: { enabled: true },
  subscription_cancel: { enabled: true, mode: "at_period_end", proration_behavior: "none" },
  subscription_pause: { enabled: false },
  subscription_update: { enabled: false },
} satisfies Stripe.BillingPortal.ConfigurationCreateParams.Features;

/**
 * Creates this site's portal configuration, or brings the existing one back to the safe settings.
 * Repeating it changes nothing. A restricted key needs write access to the customer portal.
 * @throws AppError 502 provider_error
 */
export async function savePortalConfiguration(
  settings: { secretKey: string; apiBase: string },
  siteUrl: URL,
): Promise<{ id: string; status: "created" | "updated" }> {
  const { configurations } = createStripeClient(settings).billingPortal;
  const params = {
    name: `Credits of ${siteUrl.host}`,
    active: true,
    features: FEATURES,
    default_return_url: new URL("/en/account/billing", siteUrl).href,
    business_profile: {
      privacy_policy_url: new URL("/en/privacy", siteUrl).href,
      terms_of_service_url: new URL("/en/terms", siteUrl).href,
    },
    metadata: { purpose: PURPOSE, site: siteUrl.host },
  };
  const known = await callStripe(() => findOwn(configurations, siteUrl.host));
  if (known) {
    const { id } = await callStripe(() => configurations.update(known.id, params));
    return { id, status: "updated" };
  }
  const { active: _active, ...creation } = params;
  const { id } = await callStripe(() => configurations.create(creation));
  return { id, status: "created" };
}

/** The oldest of ours: two that were made at the same time must not take turns. */
async function findOwn(
  configurations: Stripe["billingPortal"]["configurations"],
  site: string,
): Promise<Stripe.BillingPortal.Configuration | null> {
  let own: Stripe.BillingPortal.Configuration | null = null;
  for await (const configuration of configurations.list({ limit: 100 })) {
    const { purpose, site: theirs } = configuration.metadata ?? {};
    if (purpose === PURPOSE && theirs === site && !(own && own.created <= configuration.created))
      own = configuration;
  }
  return own;
}
