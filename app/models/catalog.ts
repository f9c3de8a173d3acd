import {
  type CatalogItem,
  type Period,
  type PlanKey,
  type SkuKey,
  slotOf,
} from "~/env/catalog-item";

// Which price is which item stands with the configuration, where the payment services can see it.
export {
  type CatalogItem,
  findItemByPrice,
  itemOf,
  type Period,
  type PlanKey,
  type SkuKey,
  slotOf,
} from "~/env/catalog-item";

/** What all amounts of the catalog are in; they are integers in its minor unit (cents). */
export const CURRENCY = "usd";

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

export function findPack(skuKey: string): Pack | null {
  return PACKS.find((pack) => pack.skuKey === skuKey) ?? null;
}

export function findPlan(planKey: string): Plan | null {
  return PLANS.find((plan) => plan.planKey === planKey) ?? null;
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
