import { expect, test } from "vitest";
import { TOP_PLAN, TOP_YEARLY } from "#tests/fixtures/sold";
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
  const { planKey, creditsPerMonth, amounts } = TOP_PLAN;
  const { packs, plans } = listOffers((slot) => slot === TOP_YEARLY);
  expect(packs).toEqual([]);
  expect(plans).toEqual([
    { planKey, creditsPerMonth, prices: [{ period: "year", amount: amounts.year }] },
  ]);
});
