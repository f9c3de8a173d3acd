import { CREDITS_PER_IMAGE } from "~/catalog";
import type { ProductFacts } from "~/components/product-facts";
import type { ImageProviderName, ImagesEnv } from "~/env/images";
import { getEnv } from "~/env.server";
import { listOffers, type Offers } from "~/models/billing/checkouts/offers";
import { getPaymentProvider } from "~/services/payments/get-payment-provider.server";

/** The same for every visitor: the public pages are cached. */
export function getProductFacts(): ProductFacts {
  const { images, payments, storage } = getEnv();
  return {
    offers: currentOffers(),
    paymentProvider: payments.enabled ? payments.provider : null,
    imageCost: images.enabled ? CREDITS_PER_IMAGE : null,
    imageProviders: images.enabled ? listImageProviders(images) : [],
    hasFiles: storage.enabled,
  };
}

/** Returns the offers; null while payments are off. */
export function currentOffers(): Offers | null {
  const { enabled, provider } = getEnv().payments;
  if (!enabled || !provider) return null;
  const { listMissing } = getPaymentProvider(provider);
  return listOffers((slot) => listMissing(slot).length === 0);
}

function listImageProviders({ selected, providers }: ImagesEnv): ImageProviderName[] {
  if (selected) return [selected];
  const names = Object.keys(providers) as ImageProviderName[];
  return names.filter((name) => providers[name].apiKey !== null);
}
