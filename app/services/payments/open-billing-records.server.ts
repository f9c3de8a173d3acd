import type { PaymentProviderName, PaymentsEnv } from "~/env/payments";
import type { Attempt, BillingRecords } from "~/services/payments/billing-records.server";
import { createCreemRecords } from "~/services/payments/creem/creem-records.server";
import { createStripeRecords } from "~/services/payments/stripe/stripe-records.server";

/** A provider's records; null if its key is not set. */
export function openBillingRecords(
  name: PaymentProviderName,
  { stripe, creem }: Pick<PaymentsEnv, "stripe" | "creem">,
  attempt: Attempt = (call) => call(),
): BillingRecords | null {
  if (name === "stripe") {
    const { secretKey, apiBase, prices } = stripe;
    return secretKey ? createStripeRecords({ secretKey, apiBase, prices }, attempt) : null;
  }
  const { apiKey, apiBase, products } = creem;
  return apiKey ? createCreemRecords({ apiKey, apiBase, products }, attempt) : null;
}
