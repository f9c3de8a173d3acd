import type { PaymentProviderName, ProviderSettings } from "~/env/payments";
import { getEnv } from "~/env.server";
import { createCreemProvider } from "~/services/payments/creem/creem-provider.server";
import type { KeptCards } from "~/services/payments/kept-cards";
import { paymentsUnavailable } from "~/services/payments/payment-faults";
import type { PaymentProvider } from "~/services/payments/payment-provider.server";
import { createStripeProvider } from "~/services/payments/stripe/stripe-provider.server";

const providers = new Map<PaymentProviderName, PaymentProvider>();

/**
 * The provider of an existing object, by the name stored with it, regardless of which provider is
 * active and whether payments are on. One per process.
 */
export function getPaymentProvider(name: PaymentProviderName): PaymentProvider {
  const known = providers.get(name);
  if (known) return known;
  const provider = createPaymentProvider(name, getEnv().payments);
  providers.set(name, provider);
  return provider;
}

/**
 * The provider for new checkouts and the webhook.
 * @throws AppError 503 payments_unavailable while payments are off or no provider is selected
 */
export function requireActiveProvider(): PaymentProvider {
  const { enabled, provider } = getEnv().payments;
  if (!enabled) throw paymentsUnavailable(["NEXT_PUBLIC_ENABLE_PAYMENTS"]);
  if (!provider) throw paymentsUnavailable(["PAYMENTS_PROVIDER"]);
  return getPaymentProvider(provider);
}

/** The cards that customers let Stripe keep: only its API charges them without the customer. */
export function requireKeptCards(): KeptCards {
  const { keptCards } = getPaymentProvider("stripe");
  if (!keptCards) throw new Error("Stripe keeps cards");
  return keptCards;
}

/** Creates a provider from settings, complete or not. */
export function createPaymentProvider(
  name: PaymentProviderName,
  settings: ProviderSettings,
): PaymentProvider {
  return CREATE[name](settings);
}

const CREATE: Record<PaymentProviderName, (settings: ProviderSettings) => PaymentProvider> = {
  stripe: ({ stripe }) => createStripeProvider(stripe),
  creem: ({ creem }) => createCreemProvider(creem),
};
