import { isLocalHost } from "~/env/formats";
import type { PaymentsEnv } from "~/env/payments";

/** Where each provider has its hosted checkout and its customer portal. */
const STRIPE_PAGES = ["https://checkout.stripe.com", "https://billing.stripe.com"];
const CREEM_PAGES = ["https://creem.io", "https://*.creem.io"];

/**
 * Every origin that our payment forms lead to. A provider counts once its key is set, active or not:
 * an old subscription keeps the portal of the provider that it was bought from.
 */
export function hostedOrigins({ stripe, creem }: Pick<PaymentsEnv, "stripe" | "creem">): string[] {
  return [
    ...(stripe.secretKey ? [...STRIPE_PAGES, ...localOrigin(stripe.apiBase)] : []),
    ...(creem.apiKey ? [...CREEM_PAGES, ...localOrigin(creem.apiBase)] : []),
  ];
}

/** A stand-in on this machine has its pages where its API is. */
function localOrigin(apiBase: string): string[] {
  const { hostname, origin } = new URL(apiBase);
  return isLocalHost(hostname) ? [origin] : [];
}
