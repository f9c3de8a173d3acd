import type { PaymentProviderName, ProviderSettings } from "~/env/payments";
import type { Attempt, BillingRecords } from "~/services/payments/billing-records.server";
import { createCreemRecords } from "~/services/payments/creem/creem-records.server";
import { createStripeRecords } from "~/services/payments/stripe/stripe-records.server";

/** A provider's records; null if its key is not set. */
export function openBillingRecords(
  name: PaymentProviderName,
  settings: ProviderSettings,
  attempt: Attempt = (call) => call(),
): BillingRecords | null {
  return OPEN[name](settings, attempt);
}

const OPEN: Record<
  PaymentProviderName,
  (settings: ProviderSettings, attempt: Attempt) => BillingRecords | null
> = {
  stripe({ stripe: { secretKey, apiBase, prices, topUp } }, attempt) {
    return secretKey ? createStripeRecords({ secretKey, apiBase, prices, topUp }, attempt) : null;
  },
  creem({ creem: { apiKey, apiBase, products } }, attempt) {
    return apiKey ? createCreemRecords({ apiKey, apiBase, products }, attempt) : null;
  },
};
