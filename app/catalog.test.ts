import { expect, test } from "vitest";
import { NO_PRICES, PRICES } from "#tests/fixtures/payments";
import { amountOf, findPack, findPlan, itemOf, PACKS, PLANS, PRICE_SLOTS, slotOf } from "~/catalog";
import { findItemByPrice } from "~/env/prices";

test("every slot is one item, and every item one slot", () => {
  expect(PRICE_SLOTS).toHaveLength(PACKS.length + 2 * PLANS.length);
  for (const slot of PRICE_SLOTS) expect(slotOf(itemOf(slot))).toBe(slot);
});

test.each([
  ["credits_small", 500],
  ["credits_medium", 1900],
  ["credits_large", 5900],
  ["starter_monthly", 900],
  ["starter_annual", 9000],
  ["pro_monthly", 2900],
  ["pro_annual", 29_000],
] as const)("%s costs %i cents", (slot, amount) => {
  expect(amountOf(itemOf(slot))).toBe(amount);
});

test("a price leads to what it buys, and an unknown one to nothing", () => {
  expect(findItemByPrice(PRICES, "price_pro_annual")).toEqual({
    type: "plan",
    planKey: "pro",
    period: "year",
  });
  expect(findItemByPrice(PRICES, "price_credits_large")).toEqual({
    type: "pack",
    skuKey: "credits_large",
  });
  expect(findItemByPrice(PRICES, "price_other")).toBeNull();
  expect(findItemByPrice(PRICES, null)).toBeNull();
  expect(findItemByPrice(NO_PRICES, "price_pro_annual")).toBeNull();
});

test("keys that the catalog lacks are found nowhere, those of every object included", () => {
  for (const key of ["enterprise", "toString", "__proto__", ""]) {
    expect(findPack(key)).toBeNull();
    expect(findPlan(key)).toBeNull();
  }
});
