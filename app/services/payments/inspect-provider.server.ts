import type { PaymentProviderName, PaymentsEnv, ProviderSettings } from "~/env/payments";
import { inspectCreem } from "~/services/payments/creem/creem-inspection.server";
import type { ProviderInspection } from "~/services/payments/provider-inspection.server";
import { inspectStripe } from "~/services/payments/stripe/stripe-inspection.server";

/** Inspects the selected provider; null if none is selected or its key is not set. */
export function inspectProvider(payments: PaymentsEnv): ProviderInspection | null {
  return payments.provider && INSPECT[payments.provider](payments);
}

const INSPECT: Record<
  PaymentProviderName,
  (settings: ProviderSettings) => ProviderInspection | null
> = {
  stripe({ stripe: { secretKey, ...stripe } }) {
    return secretKey ? inspectStripe({ ...stripe, secretKey }) : null;
  },
  creem({ creem: { apiKey, apiBase } }) {
    return apiKey ? inspectCreem({ apiKey, apiBase }) : null;
  },
};
