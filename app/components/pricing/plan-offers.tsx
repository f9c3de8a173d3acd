import type { PaymentProviderName } from "~/env/payments";
import type { PlanOffer } from "~/models/billing/checkouts/offers";
import type { MemberPlan } from "./member-plan";
import { PlanCard } from "./plan-card";
import { findBestValue } from "./price-facts";

interface PlanOffersProps {
  plans: PlanOffer[];
  /** The visitor's plan. Only one is allowed, so the others are offered as a change. */
  member: MemberPlan | null;
  /** Credits per image; null while image generation is off. */
  imageCost: number | null;
  provider: PaymentProviderName;
}

/** The plans side by side. */
export function PlanOffers({ plans, ...rest }: PlanOffersProps) {
  if (plans.length === 0) return null;
  const best = findBestValue(plans);
  return (
    <ul className="plans">
      {plans.map((plan) => (
        <PlanCard key={plan.planKey} plan={plan} isBest={plan.planKey === best} {...rest} />
      ))}
    </ul>
  );
}
