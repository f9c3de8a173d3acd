import { expect, test } from "vitest";
import { parse, STRIPE } from "#tests/fixtures/env";
import {
  LAST_PACK,
  PACK,
  PLAN_MONTHLY,
  PLAN_YEARLY,
  priceAlias,
  priceVariable,
  productVariable,
  TOP_YEARLY,
} from "#tests/fixtures/sold";
import { CATALOG_ITEMS, PACKS, PRICE_SLOTS, slotOf } from "~/catalog";

test("with Stripe complete, items without a price are listed by variable name", () => {
  const { payments, warnings } = parse({ ...STRIPE, [priceAlias(PACK.skuKey)]: "price_1" });
  expect(warnings).toEqual([]);
  expect(payments.missingPrices).toHaveLength(PRICE_SLOTS.length - 1);
  expect(payments.missingPrices).toContain(priceVariable(TOP_YEARLY));
});

test("an item marked none is neither missing nor sold, and a misspelt none is refused", () => {
  const plans = CATALOG_ITEMS.filter(({ type }) => type === "plan").map(slotOf);
  const source = {
    ...STRIPE,
    [priceAlias(PACK.skuKey)]: "price_1",
    ...Object.fromEntries(plans.map((slot) => [priceVariable(slot), "none"])),
    [priceVariable(PLAN_YEARLY)]: "None",
    // Not the active provider's.
    [productVariable(LAST_PACK.skuKey)]: "none",
  };
  const { payments, incomplete, warnings } = parse({ ...source, CRON_SECRET: "" });
  expect(payments.notForSale).toEqual(plans);
  expect(payments.missingPrices).toEqual(PACKS.slice(1).map(({ skuKey }) => priceVariable(skuKey)));
  expect(payments.stripe.prices[PLAN_MONTHLY]).toBeNull();
  // Nothing that renews is sold, so the daily job isn't missed.
  expect(incomplete.cron).toEqual([]);
  expect(warnings).not.toContainEqual(expect.stringContaining("same price"));
  expect(() => parse({ ...source, [priceVariable(LAST_PACK.skuKey)]: "non" })).toThrow(
    /none if you/,
  );
});

test("two items with one price are named", () => {
  const shared = { [priceAlias(PACK.skuKey)]: "price_1", [priceAlias(TOP_YEARLY)]: "price_1" };
  expect(parse({ ...STRIPE, ...shared }).warnings).toEqual([
    `${priceVariable(TOP_YEARLY)}, ${priceVariable(PACK.skuKey)} hold the same price: a payment cannot be told apart`,
  ]);
});
