import type { Prices } from "~/env/catalog";
import type { CreemSettings } from "~/services/payments/creem/creem-provider.server";
import type { StripeSettings } from "~/services/payments/stripe/stripe-provider.server";

export const USER_ID = "6f1c0e0a-3c39-4b67-9f55-0f4a7f1d2c3b";

function pricesOf(prefix: "price" | "prod"): Prices {
  return {
    starter_monthly: `${prefix}_starter_monthly`,
    starter_annual: `${prefix}_starter_annual`,
    pro_monthly: `${prefix}_pro_monthly`,
    pro_annual: `${prefix}_pro_annual`,
    credits_small: `${prefix}_credits_small`,
    credits_medium: `${prefix}_credits_medium`,
    credits_large: `${prefix}_credits_large`,
  };
}

export const PRICES = pricesOf("price");
export const PRODUCTS = pricesOf("prod");
export const NO_PRICES: Prices = {
  starter_monthly: null,
  starter_annual: null,
  pro_monthly: null,
  pro_annual: null,
  credits_small: null,
  credits_medium: null,
  credits_large: null,
};

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
