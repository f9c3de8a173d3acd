import { ACTIONS, PACKS, type Period, PLANS, type PlanKey, slotOf } from "../../app/catalog";
import { createSandboxPrices } from "../../scripts/sandbox/payments/sandbox-catalog";
import type { Sold } from "./act/stage";
import type { ProviderName } from "./world/stand-ins";

function priceOf(prefix: "price" | "prod", planKey: PlanKey, period: Period): string {
  const slot = slotOf({ type: "plan", planKey, period });
  const price = createSandboxPrices(prefix).find((candidate) => candidate.slot === slot);
  if (!price) throw new Error(`the stand-in has no price for ${slot}`);
  return price.id;
}

/** The catalog's goods, with the provider's prices. A product of one's own changes them on its first day. */
export function soldBy(provider: ProviderName): Sold {
  const prefix = provider === "stripe" ? "price" : "prod";
  return {
    packs: PACKS,
    plans: PLANS.map(({ planKey, creditsPerMonth, amounts }) => ({
      ...{ planKey, credits: creditsPerMonth, amounts },
      prices: {
        month: priceOf(prefix, planKey, "month"),
        year: priceOf(prefix, planKey, "year"),
      },
    })),
    imageCredits: ACTIONS.image.price.credits / ACTIONS.image.price.per,
    tokensPerCredit: ACTIONS.text.price.per / ACTIONS.text.price.credits,
  };
}
