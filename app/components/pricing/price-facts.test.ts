import { expect, test } from "vitest";
import type { Pack } from "~/catalog";
import type { PlanOffer } from "~/models/billing/checkouts/offers";
import {
  findBestValue,
  imagePriceRange,
  monthsFree,
  planPricePerImage,
  pricePerImage,
  savingAgainstPack,
  yearlySaving,
} from "./price-facts";

/** The functions take their plans as arguments, so these need not be in the catalog. */
const plan = (
  planKey: string,
  creditsPerMonth: number,
  amounts: { month?: number; year?: number },
): PlanOffer => ({
  planKey: planKey as PlanOffer["planKey"],
  creditsPerMonth,
  prices: (["month", "year"] as const).flatMap((period) => {
    const amount = amounts[period];
    return amount === undefined ? [] : [{ period, amount }];
  }),
});

test("the price of an image is rounded to the cent and says so", () => {
  expect(pricePerImage({ amount: 500, credits: 100 }, 10)).toEqual({ amount: 50, isExact: true });
  expect(pricePerImage({ amount: 5900, credits: 2000 }, 10)).toEqual({
    amount: 30,
    isExact: false,
  });
});

test("a yearly price is spread over the credits of twelve months", () => {
  const starter = plan("starter", 300, { year: 9000 });
  expect(planPricePerImage(starter, { period: "year", amount: 9000 }, 10)).toEqual({
    amount: 25,
    isExact: true,
  });
});

test("a year saves what twelve months cost more", () => {
  expect(yearlySaving(plan("starter", 300, { month: 900, year: 9000 }))).toBe(1800);
  expect(yearlySaving(plan("starter", 300, { month: 900, year: 10_800 }))).toBeNull();
  expect(yearlySaving(plan("starter", 300, { month: 900 }))).toBeNull();
});

test("free months are named only if every plan gives the same whole number", () => {
  const tenForTwelve = plan("starter", 300, { month: 900, year: 9000 });
  expect(monthsFree([tenForTwelve, plan("pro", 1200, { month: 2900, year: 29_000 })])).toBe(2);
  expect(monthsFree([tenForTwelve, plan("pro", 1200, { month: 2900, year: 26_100 })])).toBeNull();
  expect(monthsFree([tenForTwelve, plan("pro", 1200, { month: 2900 })])).toBeNull();
  expect(monthsFree([plan("pro", 1200, { month: 1000, year: 10_500 })])).toBeNull();
});

test("the best value is the plan with the cheapest credits, if there is a choice", () => {
  const small = plan("starter", 300, { month: 900 });
  expect(findBestValue([small, plan("pro", 1200, { month: 2900 })])).toBe("pro");
  expect(findBestValue([small, plan("pro", 1200, { month: 9000 })])).toBe("starter");
  expect(findBestValue([small])).toBeNull();
});

test("a plan says how much less its credits cost than those of the smallest pack", () => {
  const packs = [
    { skuKey: "credits_large", credits: 2000, amount: 5900 },
    { skuKey: "credits_small", credits: 100, amount: 500 },
  ] as Pack[];
  const pro = plan("pro", 1200, { month: 2900, year: 29_000 });
  const savingOf = (period: "month" | "year", amount: number) =>
    savingAgainstPack(pro, { period, amount }, packs);
  expect(savingOf("month", 2900)).toEqual({ share: 0.51, credits: 100 });
  expect(savingOf("year", 29_000)).toEqual({ share: 0.59, credits: 100 });
  expect(savingOf("month", 6000)).toBeNull();
  expect(savingAgainstPack(pro, { period: "month", amount: 2900 }, [])).toBeNull();
});

test("the range of prices spans packs and plans", () => {
  const packs = [
    { skuKey: "credits_small", credits: 100, amount: 500 },
    { skuKey: "credits_large", credits: 2000, amount: 5900 },
  ] as Pack[];
  const plans = [plan("pro", 1200, { month: 2900, year: 29_000 })];
  expect(imagePriceRange({ packs, plans: [] }, 10)).toEqual({ lowest: 30, highest: 50 });
  expect(imagePriceRange({ packs, plans }, 10)).toEqual({ lowest: 20, highest: 50 });
  expect(imagePriceRange({ packs: [], plans: [] }, 10)).toBeNull();
});
