import type { PaymentsEnv } from "~/env/payments";
import { inspectCreem } from "~/services/payments/creem/creem-inspection.server";
import type { ProviderInspection } from "~/services/payments/provider-inspection.server";
import { inspectStripe } from "~/services/payments/stripe/stripe-inspection.server";

/** Inspects the selected provider; null if none is selected or its key is not set. */
export function inspectProvider(payments: PaymentsEnv): ProviderInspection | null {
  const { provider, stripe, creem } = payments;
  if (provider === "stripe" && stripe.secretKey)
    return inspectStripe({ ...stripe, secretKey: stripe.secretKey });
  if (provider === "creem" && creem.apiKey)
    return inspectCreem({ apiKey: creem.apiKey, apiBase: creem.apiBase });
  return null;
}
