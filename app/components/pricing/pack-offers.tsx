import { useTranslations } from "use-intl";
import type { ActionKey, Pack } from "~/catalog";
import { providerName } from "~/components/billing/provider-name";
import { CheckoutForm } from "~/components/pricing/checkout-form";
import { useImageWords } from "~/components/pricing/use-image-words";
import { Coin } from "~/components/ui/coin";
import { Icon } from "~/components/ui/icon";
import { useCreditWords } from "~/components/use-credit-words";
import { usePriceTag } from "~/components/use-money";
import type { PaymentProviderName } from "~/env/payments";

interface PackOffersProps {
  packs: Pack[];
  hasPlans: boolean;
  /** Credits per image; null while image generation is off. */
  imageCost: number | null;
  /** The action that credits are counted in while image generation is off; null if there is none. */
  other: ActionKey | null;
  provider: PaymentProviderName;
  isSignedIn: boolean;
}

/** Credits to buy once; each pack has its own form. */
export function PackOffers({
  packs,
  hasPlans,
  imageCost,
  other,
  provider,
  isSignedIn,
}: PackOffersProps) {
  const t = useTranslations();
  if (packs.length === 0) return null;
  return (
    <section className="section pricing-packs" id="packs" aria-labelledby="packs-title">
      <div className="section-head">
        <h2 id="packs-title">{t("pricing.packs")}</h2>
        <p className="muted">{hasPlans ? t("pricing.packsBesidePlan") : t("pricing.packsHint")}</p>
      </div>
      <ul className="packs">
        {packs.map((pack) => (
          <PackCard key={pack.skuKey} pack={pack} imageCost={imageCost} other={other} />
        ))}
      </ul>
      <p className="pay small muted">
        <Icon name="lock" />
        <span>
          {t("pricing.how", { provider: providerName(provider) })}
          {isSignedIn ? null : ` ${t("pricing.signInFirst")}`}
        </span>
      </p>
    </section>
  );
}

function PackCard({
  pack,
  imageCost,
  other,
}: Pick<PackOffersProps, "imageCost" | "other"> & { pack: Pack }) {
  const t = useTranslations();
  const priceTag = usePriceTag();
  const words = useImageWords(imageCost);
  const { bought } = useCreditWords();
  const { skuKey, credits, amount } = pack;
  return (
    <li className="card pack">
      <div>
        <h3 className="pack-name">
          <Coin />
          {t("pricing.packCredits", { credits })}
        </h3>
        {words ? <p className="muted">{words.packImages(pack)}</p> : null}
        {other ? <p className="muted">{bought(other, credits)}</p> : null}
      </div>
      <p className="big big-32">{priceTag(amount)}</p>
      <CheckoutForm
        intent="pack"
        item={{ name: "skuKey", value: skuKey }}
        label={t("pricing.buy", { credits })}
        look="secondary"
        className="pack-form"
      />
    </li>
  );
}
