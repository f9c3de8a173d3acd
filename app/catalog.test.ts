import { expect, test } from "vitest";
import { NO_PRICES, PRICES } from "#tests/fixtures/payments";
import {
  amountOf,
  CATALOG_ITEMS,
  findPack,
  findPlan,
  itemOf,
  PACKS,
  PERIODS,
  PLANS,
  PRICE_SLOTS,
  slotOf,
} from "~/catalog";
import { findItemByPrice } from "~/env/prices";

test("every slot is one item, and every item one slot", () => {
  expect(PRICE_SLOTS).toHaveLength(PACKS.length + 2 * PLANS.length);
  for (const slot of PRICE_SLOTS) expect(slotOf(itemOf(slot))).toBe(slot);
});

test("an item costs its entry's amount", () => {
  for (const { skuKey, amount } of PACKS) expect(amountOf({ type: "pack", skuKey })).toBe(amount);
  for (const { planKey, amounts } of PLANS)
    for (const period of PERIODS)
      expect(amountOf({ type: "plan", planKey, period })).toBe(amounts[period]);
});

test("a price leads to what it buys, and an unknown one to nothing", () => {
  for (const item of CATALOG_ITEMS)
    expect(findItemByPrice(PRICES, `price_${slotOf(item)}`)).toEqual(item);
  expect(findItemByPrice(PRICES, "price_other")).toBeNull();
  expect(findItemByPrice(PRICES, null)).toBeNull();
  expect(findItemByPrice(NO_PRICES, `price_${PRICE_SLOTS[0]}`)).toBeNull();
});

test("keys that the catalog lacks are found nowhere, those of every object included", () => {
  for (const key of ["not_sold", "toString", "__proto__", ""]) {
    expect(findPack(key)).toBeNull();
    expect(findPlan(key)).toBeNull();
  }
});
