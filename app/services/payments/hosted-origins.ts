import { isLocalHost } from "~/env/formats";
import type { PaymentsEnv } from "~/env/payments";

/** Origins of each provider's hosted checkout and customer portal. */
const STRIPE_PAGES = ["https://checkout.stripe.com", "https://billing.stripe.com"];
const CREEM_PAGES = ["https://creem.io", "https://*.creem.io"];

/**
 * Every origin that our payment forms lead to. A provider counts once its key is set, even if inactive:
 * an old subscription keeps the portal of the provider it was bought from.
 */
export function hostedOrigins({ stripe, creem }: Pick<PaymentsEnv, "stripe" | "creem">): string[] {
  return [
    ...(stripe.secretKey ? [...STRIPE_PAGES, ...localOrigin(stripe.apiBase)] : []),
    ...(creem.apiKey ? [...CREEM_PAGES, ...localOrigin(creem.apiBase)] : []),
  ];
}

/** A stand-in provider on this machine serves its pages at its API's origin. */
function localOrigin(apiBase: string): string[] {
  const { hostname, origin } = new URL(apiBase);
  return isLocalHost(hostname) ? [origin] : [];
}
