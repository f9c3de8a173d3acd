import type Stripe from "stripe";
import { findOwn, safeConfiguration } from "~/services/payments/stripe/portal-configuration.server";
import { callStripe } from "~/services/payments/stripe/stripe-client.server";

const PURPOSE = "customer-portal-without-plan-changes";

type Configurations = Stripe["billingPortal"]["configurations"];

/**
 * Returns the id of a portal configuration in which nobody can change a plan: the one in use, if it is
 * such a one; else one of this site's own, found by its metadata or made now. Reads it each time, since
 * the dashboard can change it. A restricted key needs write access to the customer portal to make one.
 * @throws AppError 502 provider_error
 */
export async function requirePortalWithoutChanges(
  stripe: Stripe,
  { configured, siteUrl }: { configured: string | null; siteUrl: URL },
): Promise<string> {
  const { configurations } = stripe.billingPortal;
  return callStripe(async () => {
    const inUse = await findInUse(configurations, configured);
    if (inUse && isWithoutChanges(inUse)) return inUse.id;
    const own = await findOwn(configurations, siteUrl.host, PURPOSE, isWithoutChanges);
    if (own) return own.id;
    const made = await configurations.create(safeConfiguration(siteUrl, PURPOSE));
    if (!isWithoutChanges(made)) throw new Error("Stripe made a portal with changes of plan");
    return made.id;
  });
}

async function findInUse(
  configurations: Configurations,
  configured: string | null,
): Promise<Stripe.BillingPortal.Configuration | undefined> {
  if (configured !== null) return configurations.retrieve(configured);
  const { data } = await configurations.list({ is_default: true, limit: 1 });
  return data[0];
}

const isWithoutChanges = ({ active, features }: Stripe.BillingPortal.Configuration) =>
  active && !features.subscription_update.enabled;
