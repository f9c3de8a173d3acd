import { useParams } from "@remix-run/react";
import { useTranslations } from "use-intl";
import type { PlanKey } from "~/catalog";
import { usePlanPrice } from "~/components/billing/use-plan-price";
import { CheckoutForm } from "~/components/pricing/checkout-form";
import { OfferSection } from "~/components/pricing/offer-section";
import { usePlanName } from "~/components/use-plan-name";
import type { PlanOffer } from "~/models/billing/checkouts/offers";

interface PlanOffersProps {
  plans: PlanOffer[];
  /** The user's current plan. Only one subscription is allowed, so no other plan is offered. */
  currentPlan: PlanKey | null;
  /** Credits per image; null while image generation is off. */
  imageCost: number | null;
}

/** Monthly credits. Each plan has its own form, with a choice of monthly or yearly billing. */
export function PlanOffers({ plans, currentPlan, imageCost }: PlanOffersProps) {
  const t = useTranslations();
  const planName = usePlanName();
  if (plans.length === 0) return null;
  return (
    <OfferSection title={t("pricing.plans")} hint={t("pricing.plansHint")}>
      <ul className="grid gap-4 sm:grid-cols-2">
        {plans.map(({ planKey, creditsPerMonth, prices }) => (
          <li key={planKey} className="flex flex-col gap-1 rounded-md border border-line p-4">
            <h3 className="text-lg font-semibold">{planName(planKey)}</h3>
            <p>{t("pricing.planCredits", { credits: creditsPerMonth })}</p>
            {imageCost === null ? null : (
              <p className="text-sm text-ink-muted">
                {t("pricing.images", { images: Math.floor(creditsPerMonth / imageCost) })}
              </p>
            )}
            {currentPlan ? (
              <CurrentPlan isThis={currentPlan === planKey} prices={prices} />
            ) : (
              <CheckoutForm
                intent="plan"
                item={{ name: "planKey", value: planKey }}
                label={t("pricing.subscribe", { plan: planName(planKey) })}
                look="primary"
              >
                <PeriodChoice prices={prices} />
              </CheckoutForm>
            )}
          </li>
        ))}
      </ul>
    </OfferSection>
  );
}

function PeriodChoice({ prices }: Pick<PlanOffer, "prices">) {
  const t = useTranslations();
  const priceWords = usePlanPrice();
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-1 text-sm text-ink-muted">{t("pricing.period")}</legend>
      {prices.map((price, index) => (
        <label
          key={price.period}
          className="flex min-h-10 items-center gap-2 rounded-md border border-line-strong px-3 tabular-nums has-checked:border-accent has-checked:bg-accent-surface"
        >
          <input
            type="radio"
            name="period"
            value={price.period}
            defaultChecked={index === 0}
            required
            className="size-4 accent-accent"
          />
          {priceWords(price)}
        </label>
      ))}
    </fieldset>
  );
}

function CurrentPlan({ isThis, prices }: Pick<PlanOffer, "prices"> & { isThis: boolean }) {
  const t = useTranslations();
  const { locale } = useParams();
  const priceWords = usePlanPrice();
  return (
    <>
      <ul className="tabular-nums">
        {prices.map((price) => (
          <li key={price.period}>{priceWords(price)}</li>
        ))}
      </ul>
      <p className="mt-auto pt-2">
        {isThis ? t("pricing.current") : t("pricing.other")}{" "}
        <a href={`/${locale}/account/billing`} className="text-accent underline">
          {t("pricing.manage")}
        </a>
      </p>
    </>
  );
}
