import {
  amountOf,
  CURRENCY,
  findPack,
  itemOf,
  PRICE_SLOTS,
  type PriceSlot,
} from "../../../app/catalog";

/** One item for sale, as the provider's dashboard would hold it. */
export interface SandboxPrice {
  id: string;
  name: string;
  /** Minor units of `currency`. */
  amount: number;
  currency: string;
  /** Null for a one-time purchase. */
  interval: "month" | "year" | null;
}

/** One that the app's environment names. */
export interface CatalogPrice extends SandboxPrice {
  slot: PriceSlot;
}

/** Returns the catalog's items with ids of this prefix, the same after every start. */
export function createSandboxPrices(prefix: "price" | "prod"): CatalogPrice[] {
  return PRICE_SLOTS.map((slot) => {
    const item = itemOf(slot);
    return {
      id: `${prefix}_sandbox_${slot}`,
      slot,
      name:
        item.type === "pack"
          ? `${findPack(item.skuKey)?.credits.toLocaleString("en")} credits`
          : `${capitalize(item.planKey)} plan`,
      amount: amountOf(item),
      currency: CURRENCY,
      interval: item.type === "plan" ? item.period : null,
    };
  });
}

function capitalize(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** @throws Error for an id that isn't in the catalog; the API has checked it before. */
export function requirePrice(prices: readonly SandboxPrice[], id: string): SandboxPrice {
  const price = prices.find((candidate) => candidate.id === id);
  if (!price) throw new Error(`there is no price ${id}`);
  return price;
}
