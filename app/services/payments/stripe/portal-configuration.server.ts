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
  const params = { ...safeConfiguration(siteUrl, PURPOSE), active: true };
  const known = await callStripe(() => findOwn(configurations, siteUrl.host, PURPOSE));
  if (known) {
    const { id } = await callStripe(() => configurations.update(known.id, params));
    return { id, status: "updated" };
  }
  const { id } = await callStripe(() => configurations.create(safeConfiguration(siteUrl, PURPOSE)));
  return { id, status: "created" };
}

/** A configuration with the safe settings. `purpose` and the site's host name it in its metadata. */
export function safeConfiguration(siteUrl: URL, purpose: string) {
  return {
    name: `Credits of ${siteUrl.host}`,
    features: FEATURES,
    default_return_url: new URL("/en/account/billing", siteUrl).href,
    business_profile: {
      privacy_policy_url: new URL("/en/privacy", siteUrl).href,
      terms_of_service_url: new URL("/en/terms", siteUrl).href,
    },
    metadata: { purpose, site: siteUrl.host },
  } satisfies Stripe.BillingPortal.ConfigurationCreateParams;
}

/**
 * The oldest of this site's configurations for this purpose: two that were made at the same time must not
 * take turns. `isUsable` leaves out others.
 */
export async function findOwn(
  configurations: Stripe["billingPortal"]["configurations"],
  site: string,
  purpose: string,
  isUsable: (configuration: Stripe.BillingPortal.Configuration) => boolean = () => true,
): Promise<Stripe.BillingPortal.Configuration | null> {
  let own: Stripe.BillingPortal.Configuration | null = null;
  for await (const configuration of configurations.list({ limit: 100 })) {
    const { metadata, created } = configuration;
    if (metadata?.purpose !== purpose || metadata.site !== site || !isUsable(configuration))
      continue;
    if (!own || created < own.created) own = configuration;
  }
  return own;
}
