import { useTranslations } from "use-intl";
import type { ActionKey } from "~/catalog";
import { Ticks } from "~/components/ui/ticks";
import type { PaymentProviderName } from "~/env/payments";
import type { Offers, PlanOffer } from "~/models/billing/checkouts/offers";
import { MAX_IMAGES } from "~/services/images/image-limits";
import type { MemberPlan } from "./member-plan";
import { PlanCard } from "./plan-card";
import { findBestValue } from "./price-facts";

interface PlanOffersProps {
  plans: PlanOffer[];
  /** The visitor's plan. Only one is allowed, so the others are offered as a change. */
  member: MemberPlan | null;
  /** Credits per image; null while image generation is off. */
  imageCost: number | null;
  /** The action that credits are counted in while image generation is off; null if there is none. */
  other: ActionKey | null;
  provider: PaymentProviderName;
  /** On sale beside the plans: their credits are compared. */
  packs: Offers["packs"];
}

/** The plans side by side. */
export function PlanOffers({ plans, ...rest }: PlanOffersProps) {
  if (plans.length === 0) return null;
  const best = findBestValue(plans);
  return (
    <>
      <ul className="plans">
        {plans.map((plan) => (
          <PlanCard key={plan.planKey} plan={plan} isBest={plan.planKey === best} {...rest} />
        ))}
      </ul>
      <EveryPlan hasImages={rest.imageCost !== null} />
    </>
  );
}

/** Says once the facts that all plans share. */
function EveryPlan({ hasImages }: { hasImages: boolean }) {
  const t = useTranslations();
  const images = [
    { key: "at-once", text: t("pricing.imagesAtOnce", { max: MAX_IMAGES }) },
    { key: "refunds", text: t("pricing.refundedAtOnce") },
  ];
  return (
    <section className="every-plan" aria-labelledby="every-plan">
      <h2 id="every-plan" className="h-small">
        {t("pricing.everyPlan")}
      </h2>
      <Ticks
        items={[...(hasImages ? images : []), { key: "change", text: t("pricing.changeAnyTime") }]}
      />
    </section>
  );
}
