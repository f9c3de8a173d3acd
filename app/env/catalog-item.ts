import type { PriceSlot, Prices } from "~/env/catalog";

export type SkuKey = "credits_small" | "credits_medium" | "credits_large";
export type PlanKey = "starter" | "pro";
export type Period = "month" | "year";

/** What a provider's price or product buys: credits once, or a plan by the month or the year. */
export type CatalogItem =
  | { type: "pack"; skuKey: SkuKey }
  | { type: "plan"; planKey: PlanKey; period: Period };

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

/** What a price id (Stripe) or product id (Creem) sells, or null where the catalog does not know it. */
export function findItemByPrice(prices: Prices, priceId: string | null): CatalogItem | null {
  if (priceId === null) return null;
  const slot = PRICE_SLOTS.find((candidate) => prices[candidate] === priceId);
  return slot ? ITEMS[slot] : null;
}
