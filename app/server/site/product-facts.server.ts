import { CREDITS_PER_IMAGE } from "~/catalog";
import type { ProductFacts } from "~/components/product-facts";
import type { ImageProviderName, ImagesEnv } from "~/env/images";
import { getEnv } from "~/env.server";
import { actionsOn } from "~/models/actions/registry.server";
import { currentOffers } from "~/models/billing/checkouts/current-offers.server";
import { offeredCredits } from "~/server/site/free-credits.server";

/** The same for every visitor: the public pages are cached. */
export function getProductFacts(): ProductFacts {
  const { images, payments, storage } = getEnv();
  return {
    offers: currentOffers(),
    paymentProvider: payments.enabled ? payments.provider : null,
    addsTax: payments.provider === "creem" || payments.stripe.checkout.automaticTax,
    imageCost: images.enabled ? CREDITS_PER_IMAGE : null,
    actions: actionsOn(),
    imageProviders: images.enabled ? listImageProviders(images) : [],
    hasFiles: storage.enabled,
    freeCredits: offeredCredits(),
  };
}

function listImageProviders({ selected, providers }: ImagesEnv): ImageProviderName[] {
  if (selected) return [selected];
  const names = Object.keys(providers) as ImageProviderName[];
  return names.filter((name) => providers[name].apiKey !== null);
}
