import {
  amountOf,
  CATALOG_ITEMS,
  type CatalogItem,
  CURRENCY,
  type Period,
  type PlanKey,
  type PriceSlot,
  RETIRED,
  slotOf,
} from "~/catalog";
import { format } from "~/env/formats";

/** The provider's id for each item: a price (Stripe) or product (Creem); null if not set. */
export type Prices = Record<PriceSlot, string | null>;

/** The value of an item that the operator does not sell. */
const NOT_FOR_SALE = "none";

export const priceId = idOrNone(/^price_[\w-]+$/, (text) =>
  text.startsWith("prod_")
    ? "holds a product id (prod_…): copy the id of the product's price, which starts with price_"
    : "is not a price id: copy the one that starts with price_, or write none if you do not sell it",
);
export const productId = idOrNone(/^prod_[\w-]+$/, (text) =>
  text.startsWith("price_")
    ? "holds a price id (price_…): copy the id of the product, which starts with prod_"
    : "is not a product id: copy the one that starts with prod_, or write none if you do not sell it",
);

/** Plans whose monthly price may also be set without `_MONTHLY`, its original name. */
const LEGACY_PLANS: readonly string[] = ["starter", "pro"];

type MonthlyPlan = Extract<CatalogItem, { type: "plan" }>;
const LEGACY_ITEMS = CATALOG_ITEMS.filter(isLegacy);

const optionalPrice = priceId.optional();
const optionalProduct = productId.optional();

/** Stripe's variables: one per item, then the legacy ones. */
export const priceVariables = {
  ...fromEntries(
    CATALOG_ITEMS.map((item) => [
      priceNameOf(item),
      optionalPrice.meta({ description: `Stripe price of ${describeItem(item)}.` }),
    ]),
  ),
  ...fromEntries(
    LEGACY_ITEMS.map((item) => [
      legacyNameOf(item),
      optionalPrice.meta({
        description: `Stripe price of ${describeItem(item)}, where _MONTHLY is unset (legacy).`,
      }),
    ]),
  ),
};

/** Creem's variables: one per item. */
export const productVariables = fromEntries(
  CATALOG_ITEMS.map((item) => [
    productNameOf(item),
    optionalProduct.meta({ description: `Creem product of ${describeItem(item)}.` }),
  ]),
);

/** Legacy names of monthly prices, which still work. */
export function legacyPriceNames(): string[] {
  return LEGACY_ITEMS.map(legacyNameOf);
}

/** Enterprise and landing-page names are reserved: their values are checked, but no page offers them. */
export function isExtensionPoint(name: string): boolean {
  if (!/^PROVIDER_(A_PRICE|B_PRODUCT)_\w+$/.test(name)) return false;
  return name.split("_").some((word) => word === "ENTERPRISE" || word === "LANDING");
}

type Values<Name extends string> = { readonly [key in Name]?: string };

export function buildPrices(values: Values<keyof typeof priceVariables>): Prices {
  return pricesFrom(
    (item) =>
      values[priceNameOf(item)] ?? (isLegacy(item) ? values[legacyNameOf(item)] : undefined),
  );
}

export function buildProducts(values: Values<keyof typeof productVariables>): Prices {
  return pricesFrom((item) => values[productNameOf(item)]);
}

/** The name of an item's variable. */
export type PriceVariable = keyof typeof priceVariables | keyof typeof productVariables;

/** Items of which the provider's variable says `none`. */
export function listNotForSale(
  values: Values<PriceVariable>,
  variableOf: (item: CatalogItem) => PriceVariable,
): PriceSlot[] {
  return CATALOG_ITEMS.filter((item) => values[variableOf(item)] === NOT_FOR_SALE).map(slotOf);
}

/** A plan paid by the month or year, and what it costs in minor units of the catalog's currency. */
export interface SoldPlan {
  planKey: PlanKey;
  period: Period;
  amount: number;
}

/** The plan that a price (Creem: product) sells today, or once sold; null for any other price. */
export function findPlanOfPrice(prices: Prices, id: string | null): SoldPlan | null {
  if (id === null) return null;
  const item = findItemByPrice(prices, id);
  if (item)
    return item.type === "plan"
      ? { planKey: item.planKey, period: item.period, amount: amountOf(item) }
      : null;
  return RETIRED.find(({ price }) => price === id) ?? null;
}

/**
 * Whether something is listed for less than it costs, so that it is no sale of it. An amount in another
 * currency cannot be compared.
 */
export function isListedBelow(
  listed: { amount: number; currency: string } | null,
  { amount }: Pick<SoldPlan, "amount">,
): boolean {
  return listed !== null && listed.currency === CURRENCY && listed.amount < amount;
}

/** The item that a price id (Stripe) or product id (Creem) sells; null if it is not in the catalog. */
export function findItemByPrice(prices: Prices, id: string | null): CatalogItem | null {
  if (id === null) return null;
  return CATALOG_ITEMS.find((item) => prices[slotOf(item)] === id) ?? null;
}

function pricesFrom(read: (item: CatalogItem) => string | undefined): Prices {
  const idOf = (item: CatalogItem) => {
    const text = read(item) ?? NOT_FOR_SALE;
    return text === NOT_FOR_SALE ? null : text;
  };
  return fromEntries(CATALOG_ITEMS.map((item) => [slotOf(item), idOf(item)]));
}

function idOrNone(pattern: RegExp, problem: (text: string) => string) {
  return format((text) => {
    if (text.toLowerCase() === NOT_FOR_SALE) return NOT_FOR_SALE;
    return pattern.test(text) ? text : undefined;
  }, problem);
}

export function priceNameOf(item: CatalogItem) {
  return upperCase(`PROVIDER_A_PRICE_${slotOf(item)}`);
}

export function productNameOf(item: CatalogItem) {
  return upperCase(`PROVIDER_B_PRODUCT_${slotOf(item)}`);
}

function legacyNameOf({ planKey }: MonthlyPlan) {
  return upperCase(`PROVIDER_A_PRICE_${planKey}`);
}

function isLegacy(item: CatalogItem): item is MonthlyPlan {
  return item.type === "plan" && item.period === "month" && LEGACY_PLANS.includes(item.planKey);
}

function describeItem(item: CatalogItem): string {
  if (item.type === "plan") return `the ${item.planKey} plan by the ${item.period}`;
  return `the pack ${item.skuKey}`;
}

/** `toUpperCase` as a type, so that the derived names stay checked. */
function upperCase<Text extends string>(text: Text): Uppercase<Text> {
  return text.toUpperCase() as Uppercase<Text>;
}

/** `Object.fromEntries` that keeps the type of the keys. The entries must hold every key. */
function fromEntries<Key extends string, Value>(entries: [Key, Value][]): Record<Key, Value> {
  return Object.fromEntries(entries) as Record<Key, Value>;
}
