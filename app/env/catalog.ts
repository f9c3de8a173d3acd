import type { z } from "zod";
import { matching } from "~/env/formats";

/** What can be sold, as the variables name it: a plan and its period, or a credit pack. */
export type PriceSlot =
  | "starter_monthly"
  | "starter_annual"
  | "pro_monthly"
  | "pro_annual"
  | "credits_small"
  | "credits_medium"
  | "credits_large";

export type Prices = Record<PriceSlot, string | null>;

export const priceId = matching(/^price_[\w-]+$/, (text) =>
  text.startsWith("prod_")
    ? "holds a product id (prod_…): copy the id of the product's price, which starts with price_"
    : "is not a price id: copy the one that starts with price_",
);
export const productId = matching(/^prod_[\w-]+$/, (text) =>
  text.startsWith("price_")
    ? "holds a price id (price_…): copy the id of the product, which starts with prod_"
    : "is not a product id: copy the one that starts with prod_",
);

function price(what: string) {
  return priceId.optional().meta({ description: `Stripe price of ${what}.` });
}
function product(what: string) {
  return productId.optional().meta({ description: `Creem product of ${what}.` });
}

export const priceVariables = {
  PROVIDER_A_PRICE_STARTER_MONTHLY: price("the starter plan by the month"),
  PROVIDER_A_PRICE_STARTER_ANNUAL: price("the starter plan by the year"),
  PROVIDER_A_PRICE_PRO_MONTHLY: price("the pro plan by the month"),
  PROVIDER_A_PRICE_PRO_ANNUAL: price("the pro plan by the year"),
  PROVIDER_A_PRICE_CREDITS_SMALL: price("the small credit pack"),
  PROVIDER_A_PRICE_CREDITS_MEDIUM: price("the medium credit pack"),
  PROVIDER_A_PRICE_CREDITS_LARGE: price("the large credit pack"),
  PROVIDER_A_PRICE_STARTER: price(
    "the starter plan by the month, where _MONTHLY is unset (legacy)",
  ),
  PROVIDER_A_PRICE_PRO: price("the pro plan by the month, where _MONTHLY is unset (legacy)"),
};

export const productVariables = {
  PROVIDER_B_PRODUCT_STARTER_MONTHLY: product("the starter plan by the month"),
  PROVIDER_B_PRODUCT_STARTER_ANNUAL: product("the starter plan by the year"),
  PROVIDER_B_PRODUCT_PRO_MONTHLY: product("the pro plan by the month"),
  PROVIDER_B_PRODUCT_PRO_ANNUAL: product("the pro plan by the year"),
  PROVIDER_B_PRODUCT_CREDITS_SMALL: product("the small credit pack"),
  PROVIDER_B_PRODUCT_CREDITS_MEDIUM: product("the medium credit pack"),
  PROVIDER_B_PRODUCT_CREDITS_LARGE: product("the large credit pack"),
};

/** Enterprise and landing-page names are reserved: their values are checked, and nothing offers them. */
export function isExtensionPoint(name: string): boolean {
  if (!/^PROVIDER_(A_PRICE|B_PRODUCT)_\w+$/.test(name)) return false;
  return name.split("_").some((word) => word === "ENTERPRISE" || word === "LANDING");
}

export function buildPrices(values: z.output<z.ZodObject<typeof priceVariables>>): Prices {
  return {
    starter_monthly:
      values.PROVIDER_A_PRICE_STARTER_MONTHLY ?? values.PROVIDER_A_PRICE_STARTER ?? null,
    starter_annual: values.PROVIDER_A_PRICE_STARTER_ANNUAL ?? null,
    pro_monthly: values.PROVIDER_A_PRICE_PRO_MONTHLY ?? values.PROVIDER_A_PRICE_PRO ?? null,
    pro_annual: values.PROVIDER_A_PRICE_PRO_ANNUAL ?? null,
    credits_small: values.PROVIDER_A_PRICE_CREDITS_SMALL ?? null,
    credits_medium: values.PROVIDER_A_PRICE_CREDITS_MEDIUM ?? null,
    credits_large: values.PROVIDER_A_PRICE_CREDITS_LARGE ?? null,
  };
}

export function buildProducts(values: z.output<z.ZodObject<typeof productVariables>>): Prices {
  return {
    starter_monthly: values.PROVIDER_B_PRODUCT_STARTER_MONTHLY ?? null,
    starter_annual: values.PROVIDER_B_PRODUCT_STARTER_ANNUAL ?? null,
    pro_monthly: values.PROVIDER_B_PRODUCT_PRO_MONTHLY ?? null,
    pro_annual: values.PROVIDER_B_PRODUCT_PRO_ANNUAL ?? null,
    credits_small: values.PROVIDER_B_PRODUCT_CREDITS_SMALL ?? null,
    credits_medium: values.PROVIDER_B_PRODUCT_CREDITS_MEDIUM ?? null,
    credits_large: values.PROVIDER_B_PRODUCT_CREDITS_LARGE ?? null,
  };
}
