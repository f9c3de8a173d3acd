import { expect, test } from "vitest";
import { listOffers } from "~/models/billing/offers";

test("everything that has a price is offered", () => {
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

test("what has no price is left out, and a plan without any with it", () => {
  const { packs, plans } = listOffers((slot) => slot === "pro_annual");
  expect(packs).toEqual([]);
  expect(plans).toEqual([
    { planKey: "pro", creditsPerMonth: 1200, prices: [{ period: "year", amount: 29_000 }] },
  ]);
});
