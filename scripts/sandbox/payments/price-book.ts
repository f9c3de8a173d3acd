import type { SandboxPrice } from "./sandbox-catalog";

export interface PriceBook {
  /** The catalog's prices and those that an operator added; the same array after each change. */
  prices: readonly SandboxPrice[];
  /** Adds a price, or replaces the one with its id, as an operator does in the dashboard. */
  set(price: SandboxPrice): void;
}

/** `stored` keeps the operator's prices between starts. */
export function createPriceBook(
  catalog: readonly SandboxPrice[],
  stored: Record<string, SandboxPrice>,
): PriceBook {
  const prices = [...catalog];
  function put(price: SandboxPrice): void {
    const at = prices.findIndex(({ id }) => id === price.id);
    if (at === -1) prices.push(price);
    else prices[at] = price;
  }
  for (const price of Object.values(stored)) put(price);
  return {
    prices,
    set(price) {
      stored[price.id] = price;
      put(price);
    },
  };
}
