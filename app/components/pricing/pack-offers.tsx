import { useTranslations } from "use-intl";
import { CURRENCY, type Pack } from "~/catalog";
import { CheckoutForm } from "~/components/pricing/checkout-form";
import { OfferSection } from "~/components/pricing/offer-section";
import { useMoney } from "~/components/use-money";

interface PackOffersProps {
  packs: Pack[];
  /** Credits per image; null while image generation is off. */
  imageCost: number | null;
}

/** Credits to buy once; each pack has its own form. */
export function PackOffers({ packs, imageCost }: PackOffersProps) {
  const t = useTranslations();
  const money = useMoney();
  if (packs.length === 0) return null;
  return (
    <OfferSection title={t("pricing.packs")} hint={t("pricing.packsHint")}>
      <ul className="grid gap-4 sm:grid-cols-3">
        {packs.map(({ skuKey, credits, amount }) => (
          <li key={skuKey} className="flex flex-col gap-1 rounded-md border border-line p-4">
            <h3 className="text-18 font-semibold">{t("pricing.packCredits", { credits })}</h3>
            <p className="text-24 tabular-nums">{money(amount, CURRENCY)}</p>
            {imageCost === null ? null : (
              <p className="text-14 text-ink-2">
                {t("pricing.images", { images: Math.floor(credits / imageCost) })}
              </p>
            )}
            <CheckoutForm
              intent="pack"
              item={{ name: "skuKey", value: skuKey }}
              label={t("pricing.buy", { credits })}
              look="secondary"
            />
          </li>
        ))}
      </ul>
    </OfferSection>
  );
}
