import { expect, test } from "vitest";
import { listOffers } from "~/models/billing/checkouts/offers";

test("every item with a price is offered", () => {
  const { packs, plans } = listOffers(() => true);
  expect(packs.map(({ skuKey }) => skuKey)).toEqual([
    "credits_small",
    "credits_medium",
    "credits_large",
  ]);
  expect(plans.map(({ planKey, prices }) => [planKey, prices.length])).toEqual([
    ["starter", 2],
    ["pro", 2],
  ]);
});

test("items without a price are left out, and so is a plan without any price", () => {
  const { packs, plans } = listOffers((slot) => slot === "pro_annual");
  expect(packs).toEqual([]);
  expect(plans).toEqual([
    { planKey: "pro", creditsPerMonth: 1200, prices: [{ period: "year", amount: 29_000 }] },
  ]);
});
