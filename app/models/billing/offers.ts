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
  /** The periods it can be paid by. `amount` in minor units. */
  prices: { period: Period; amount: number }[];
}

export interface Offers {
  packs: Pack[];
  plans: PlanOffer[];
}

/** What of the catalog can be bought, where `isForSale` says which prices there are. */
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
