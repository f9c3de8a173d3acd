import {
  PACKS,
  type Pack,
  PERIODS,
  type Period,
  PLANS,
  type PlanKey,
  type PriceSlot,
  slotOf,
} from "~/catalog";

export interface PlanOffer {
  planKey: PlanKey;
  creditsPerMonth: number;
  /** Billing periods on sale. `amount` in minor units. */
  prices: { period: Period; amount: number }[];
}

export interface Offers {
  packs: Pack[];
  plans: PlanOffer[];
}

/** The catalog items that can be bought. `isForSale` tells which prices are configured. */
export function listOffers(isForSale: (slot: PriceSlot) => boolean): Offers {
  const packs = PACKS.filter(({ skuKey }) => isForSale(slotOf({ type: "pack", skuKey })));
  const plans = PLANS.map(({ planKey, creditsPerMonth, amounts }) => ({
    planKey,
    creditsPerMonth,
    prices: PERIODS.filter((period) => isForSale(slotOf({ type: "plan", planKey, period }))).map(
      (period) => ({ period, amount: amounts[period] }),
    ),
  }));
  return { packs, plans: plans.filter(({ prices }) => prices.length > 0) };
}
