import type { ActionKey } from "~/catalog";
import type { ImageProviderName } from "~/env/images";
import type { PaymentProviderName } from "~/env/payments";
import type { Offers } from "~/models/billing/checkouts/offers";

/** The catalog and the configuration as the public pages tell them. */
export interface ProductFacts {
  /** Null while payments are off. */
  offers: Offers | null;
  paymentProvider: PaymentProviderName | null;
  /** Whether the provider adds tax to the prices shown. */
  addsTax: boolean;
  /** Credits per image; null while image generation is off. */
  imageCost: number | null;
  /** The actions that are on, in the catalog's order. */
  actions: ActionKey[];
  /** In the order in which they are asked. */
  imageProviders: ImageProviderName[];
  hasFiles: boolean;
  /** Credits that a new account gets once its address is verified. */
  freeCredits: number;
}
