import { PRICE_SLOTS, type PriceSlot } from "~/catalog";
import type { Prices } from "~/env/prices";
import type { CreemSettings } from "~/services/payments/creem/creem-provider.server";
import type { StripeSettings } from "~/services/payments/stripe/stripe-provider.server";

export const USER_ID = "6f1c0e0a-3c39-4b67-9f55-0f4a7f1d2c3b";

function pricesOf(id: (slot: PriceSlot) => string | null): Prices {
  return Object.fromEntries(PRICE_SLOTS.map((slot) => [slot, id(slot)])) as Prices;
}

export const PRICES = pricesOf((slot) => `price_${slot}`);
export const PRODUCTS = pricesOf((slot) => `prod_${slot}`);
export const NO_PRICES = pricesOf(() => null);

export const STRIPE_SETTINGS: StripeSettings = {
  secretKey: "sk_test_unit",
  publishableKey: null,
  webhookSecret: "whsec_unit",
  apiBase: "http://127.0.0.1:9",
  prices: PRICES,
};

export const CREEM_SETTINGS: CreemSettings = {
  apiKey: "creem_test_unit",
  webhookSecret: "secret-unit",
  apiBase: "http://127.0.0.1:9",
  signatureHeader: null,
  products: PRODUCTS,
};

/** What `writeMetadata` makes, and what `readMetadata` makes of that. */
export const PACK_METADATA = { user_id: USER_ID, sku_key: "credits_small" };
export const PACK_READ = {
  userId: USER_ID,
  skuKey: "credits_small",
  planKey: null,
  period: null,
};
export const PLAN_METADATA = { user_id: USER_ID, plan_key: "starter", period: "month" };
export const PLAN_READ = { userId: USER_ID, skuKey: null, planKey: "starter", period: "month" };

export const encode = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));
