import { getEnv } from "~/env.server";
import { listOffers, type Offers } from "~/models/billing/checkouts/offers";
import { getPaymentProvider } from "~/services/payments/get-payment-provider.server";

/** Returns the offers; null while payments are off. */
export function currentOffers(): Offers | null {
  const { enabled, provider } = getEnv().payments;
  if (!enabled || !provider) return null;
  const { listMissing } = getPaymentProvider(provider);
  return listOffers((slot) => listMissing(slot).length === 0);
}
