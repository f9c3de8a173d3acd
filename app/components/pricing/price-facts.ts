import type { Period, PlanKey } from "~/catalog";
import type { Offers, PlanOffer } from "~/models/billing/checkouts/offers";

const MONTHS = { month: 1, year: 12 } satisfies Record<Period, number>;

/** A price of one image, rounded to the currency's minor unit. */
export interface ImagePrice {
  amount: number;
  isExact: boolean;
}

/** Returns what an image costs with credits that were bought at this price. */
export function pricePerImage(
  { amount, credits }: { amount: number; credits: number },
  imageCost: number,
): ImagePrice {
  const exact = (amount * imageCost) / credits;
  return { amount: Math.round(exact), isExact: Number.isInteger(exact) };
}

/** Returns what an image costs with a plan's credits, if all of them are used. */
export function planPricePerImage(
  { creditsPerMonth }: Pick<PlanOffer, "creditsPerMonth">,
  { amount, period }: PlanOffer["prices"][number],
  imageCost: number,
): ImagePrice {
  return pricePerImage({ amount, credits: creditsPerMonth * MONTHS[period] }, imageCost);
}

/** Returns the plan's price for this period; null if it isn't on sale. */
export function priceFor({ prices }: Pick<PlanOffer, "prices">, period: Period): number | null {
  return prices.find((price) => price.period === period)?.amount ?? null;
}

/** Returns what a year costs less than twelve months; null if it saves nothing. */
export function yearlySaving(plan: Pick<PlanOffer, "prices">): number | null {
  const [month, year] = [priceFor(plan, "month"), priceFor(plan, "year")];
  if (month === null || year === null) return null;
  return month * 12 > year ? month * 12 - year : null;
}

/** Returns how many months every yearly price leaves out; null if they differ or aren't whole. */
export function monthsFree(plans: Pick<PlanOffer, "prices">[]): number | null {
  const months = plans.map((plan) => (yearlySaving(plan) ?? 0) / (priceFor(plan, "month") ?? 1));
  const [first = 0] = months;
  return first > 0 && Number.isInteger(first) && months.every((other) => other === first)
    ? first
    : null;
}

/** Returns the plan whose credits cost least; null without plans to compare. */
export function findBestValue(plans: PlanOffer[]): PlanKey | null {
  if (plans.length < 2) return null;
  const byPrice = plans
    .map(({ planKey, creditsPerMonth, prices }) => ({
      planKey,
      perCredit: Math.min(
        ...prices.map(({ amount, period }) => amount / (creditsPerMonth * MONTHS[period])),
      ),
    }))
    .sort((a, b) => a.perCredit - b.perCredit);
  return byPrice[0]?.planKey ?? null;
}

/** Returns the lowest and the highest price of an image; null if nothing is for sale. */
export function imagePriceRange(
  { packs, plans }: Offers,
  imageCost: number,
): { lowest: number; highest: number } | null {
  const amounts = [
    ...packs.map((pack) => pricePerImage(pack, imageCost).amount),
    ...plans.flatMap((plan) =>
      plan.prices.map((price) => planPricePerImage(plan, price, imageCost).amount),
    ),
  ];
  if (amounts.length === 0) return null;
  return { lowest: Math.min(...amounts), highest: Math.max(...amounts) };
}

/**
 * Returns by how much a credit of the plan is cheaper than one of the smallest pack, as a share rounded down to
 * the percent, and that pack; null if it isn't cheaper.
 */
export function savingAgainstPack(
  { creditsPerMonth }: Pick<PlanOffer, "creditsPerMonth">,
  { amount, period }: PlanOffer["prices"][number],
  packs: Offers["packs"],
): { share: number; credits: number } | null {
  const [smallest] = [...packs].sort((a, b) => a.credits - b.credits);
  if (!smallest) return null;
  const perCredit = amount / (creditsPerMonth * MONTHS[period]);
  const share = Math.floor((1 - (perCredit * smallest.credits) / smallest.amount) * 100) / 100;
  return share > 0 ? { share, credits: smallest.credits } : null;
}
