import type { PriceSlot, Prices } from "~/env/catalog";

/** What all amounts of the catalog are in; they are integers in its minor unit (cents). */
export const CURRENCY = "usd";

export type SkuKey = "credits_small" | "credits_medium" | "credits_large";
export type PlanKey = "starter" | "pro";
export type Period = "month" | "year";

/** Credits bought once; they never expire. */
export interface Pack {
  skuKey: SkuKey;
  credits: number;
  /** Minor units. */
  amount: number;
}

export interface Plan {
  planKey: PlanKey;
  /** Granted every month, whichever period is paid for. */
  creditsPerMonth: number;
  /** Minor units a period. */
  amounts: Record<Period, number>;
}

export const PACKS: readonly Pack[] = [
  { skuKey: "credits_small", credits: 100, amount: 500 },
  { skuKey: "credits_medium", credits: 500, amount: 1900 },
  { skuKey: "credits_large", credits: 2000, amount: 5900 },
];

export const PLANS: readonly Plan[] = [
  { planKey: "starter", creditsPerMonth: 300, amounts: { month: 900, year: 9000 } },
  { planKey: "pro", creditsPerMonth: 1200, amounts: { month: 2900, year: 29_000 } },
];

/** What a provider's price or product buys. */
export type CatalogItem =
  | { type: "pack"; skuKey: SkuKey }
  | { type: "plan"; planKey: PlanKey; period: Period };

export function findPack(skuKey: string): Pack | null {
  return PACKS.find((pack) => pack.skuKey === skuKey) ?? null;
}

export function findPlan(planKey: string): Plan | null {
  return PLANS.find((plan) => plan.planKey === planKey) ?? null;
}

const ITEMS: Record<PriceSlot, CatalogItem> = {
  starter_monthly: { type: "plan", planKey: "starter", period: "month" },
  starter_annual: { type: "plan", planKey: "starter", period: "year" },
  pro_monthly: { type: "plan", planKey: "pro", period: "month" },
  pro_annual: { type: "plan", planKey: "pro", period: "year" },
  credits_small: { type: "pack", skuKey: "credits_small" },
  credits_medium: { type: "pack", skuKey: "credits_medium" },
  credits_large: { type: "pack", skuKey: "credits_large" },
};

export const PRICE_SLOTS = Object.keys(ITEMS) as PriceSlot[];

/** The name under which the configuration holds an item's price. */
export function slotOf(item: CatalogItem): PriceSlot {
  if (item.type === "pack") return item.skuKey;
  return `${item.planKey}_${item.period === "month" ? "monthly" : "annual"}`;
}

export function itemOf(slot: PriceSlot): CatalogItem {
  return ITEMS[slot];
}

/** Minor units of `CURRENCY`, a period for a plan. */
export function amountOf(item: CatalogItem): number {
  const amount =
    item.type === "pack"
      ? findPack(item.skuKey)?.amount
      : findPlan(item.planKey)?.amounts[item.period];
  if (amount === undefined) throw new Error(`the catalog lacks ${slotOf(item)}`);
  return amount;
}

/** What a price id (Stripe) or product id (Creem) sells, or null where the catalog does not know it. */
export function findItemByPrice(prices: Prices, priceId: string | null): CatalogItem | null {
  if (priceId === null) return null;
  const slot = PRICE_SLOTS.find((candidate) => prices[candidate] === priceId);
  return slot ? ITEMS[slot] : null;
}
