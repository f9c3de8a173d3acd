import {
  ACTIONS,
  creditsFor,
  PACKS,
  type Period,
  PLANS,
  type PlanKey,
  slotOf,
} from "../../app/catalog";
import { createSandboxPrices } from "../../scripts/sandbox/payments/sandbox-catalog";
import type { Sold } from "./act/stage";

function priceOf(planKey: PlanKey, period: Period): string {
  const slot = slotOf({ type: "plan", planKey, period });
  const price = createSandboxPrices("price").find((candidate) => candidate.slot === slot);
  if (!price) throw new Error(`the stand-in has no price for ${slot}`);
  return price.id;
}

/** The catalog's goods. A product of one's own changes them on its first day. */
export const SOLD: Sold = {
  packs: PACKS,
  plans: PLANS.map(({ planKey, creditsPerMonth, amounts }) => ({
    ...{ planKey, credits: creditsPerMonth, amounts },
    prices: { month: priceOf(planKey, "month"), year: priceOf(planKey, "year") },
  })),
  imageCredits: creditsFor("image", 1),
  tokensPerCredit: ACTIONS.text.price.per / ACTIONS.text.price.credits,
};
