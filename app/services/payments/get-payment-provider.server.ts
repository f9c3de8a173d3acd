import type { PaymentProviderName, PaymentsEnv } from "~/env/payments";
import { getEnv } from "~/env.server";
import { createCreemProvider } from "~/services/payments/creem/creem-provider.server";
import { paymentsUnavailable } from "~/services/payments/payment-faults";
import type { PaymentProvider } from "~/services/payments/payment-provider.server";
import { createStripeProvider } from "~/services/payments/stripe/stripe-provider.server";

const providers = new Map<PaymentProviderName, PaymentProvider>();

/**
 * The provider of something that exists, by the name stored with it: whatever is active now, and
 * also while payments are off. One a process.
 */
export function getPaymentProvider(name: PaymentProviderName): PaymentProvider {
  const known = providers.get(name);
  if (known) return known;
  const provider = createPaymentProvider(name, getEnv().payments);
  providers.set(name, provider);
  return provider;
}

/**
 * The provider of new checkouts and of the webhook.
 * @throws AppError 503 payments_unavailable while payments are off or no provider is selected
 */
export function requireActiveProvider(): PaymentProvider {
  const { enabled, provider } = getEnv().payments;
  if (!enabled) throw paymentsUnavailable(["NEXT_PUBLIC_ENABLE_PAYMENTS"]);
  if (!provider) throw paymentsUnavailable(["PAYMENTS_PROVIDER"]);
  return getPaymentProvider(provider);
}

/** A provider on given settings, complete or not. */
export function createPaymentProvider(
  name: PaymentProviderName,
  settings: Pick<PaymentsEnv, "stripe" | "creem">,
): PaymentProvider {
  switch (name) {
    case "stripe":
      return createStripeProvider(settings.stripe);
    case "creem":
      return createCreemProvider(settings.creem);
  }
}
