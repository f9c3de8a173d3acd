import { expect, test } from "vitest";
import { PACKS, PERIODS, PLANS } from "~/catalog";
import { listOffers } from "~/models/billing/checkouts/offers";

test("every item with a price is offered", () => {
  const { packs, plans } = listOffers(() => true);
  expect(packs).toEqual(PACKS);
  expect(plans.map(({ planKey, prices }) => [planKey, prices.length])).toEqual(
    PLANS.map(({ planKey }) => [planKey, PERIODS.length]),
  );
});

test("items without a price are left out, and so is a plan without any price", () => {
  const { packs, plans } = listOffers((slot) => slot === "pro_annual");
  expect(packs).toEqual([]);
  expect(plans).toEqual([
    { planKey: "pro", creditsPerMonth: 1200, prices: [{ period: "year", amount: 29_000 }] },
  ]);
});
