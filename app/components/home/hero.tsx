import { useParams } from "@remix-run/react";
import { useTranslations } from "use-intl";
import { FreeCredits } from "~/components/free-credits";
import { ProductPicture } from "~/components/home/product-picture";
import { useStartLink } from "~/components/home/use-start-link";
import type { ProductFacts } from "~/components/product-facts";
import { ButtonLink } from "~/components/ui/button";
import { Coin } from "~/components/ui/coin";
import { useCreditWords } from "~/components/use-credit-words";
import { usePriceTag } from "~/components/use-money";
import { MAX_IMAGES } from "~/services/images/image-limits";

interface HeroProps {
  facts: ProductFacts;
  isSignedIn: boolean;
}

/** The first screen: what the product is, a picture of it, and two ways on. */
export function Hero({ facts, isSignedIn }: HeroProps) {
  const t = useTranslations();
  const { locale } = useParams();
  const start = useStartLink(facts, isSignedIn);
  const { imageCost, offers } = facts;
  return (
    <div className="hero">
      <div className={imageCost === null ? "wrap hero-in" : "wrap hero-in hero-two"}>
        <div className="hero-text">
          {imageCost === null ? null : (
            <p>
              <a className="badge badge-coin hero-badge" href="#refunds">
                <Coin />
                {t("home.badge", { cost: imageCost })}
              </a>
            </p>
          )}
          <h1>
            <span>{imageCost === null ? t("home.plainLine1") : t("home.line1")}</span>{" "}
            <span>{imageCost === null ? t("home.plainLine2") : t("home.line2")}</span>
          </h1>
          <p className="lead">
            {imageCost === null ? t("home.plainLead") : t("home.lead", { max: MAX_IMAGES })}
          </p>
          <div className="row row-fill">
            <ButtonLink size="large" href={start.href}>
              {start.text}
            </ButtonLink>
            {offers ? (
              <ButtonLink look="secondary" size="large" href={`/${locale}/pricing`}>
                {t("home.seePricing")}
              </ButtonLink>
            ) : null}
          </div>
          {facts.freeCredits > 0 && !isSignedIn ? (
            <p className="small">
              <FreeCredits credits={facts.freeCredits} hasImages={imageCost !== null} />
            </p>
          ) : null}
          <SmallestPack facts={facts} />
        </div>
        {imageCost === null ? null : <ProductPicture imageCost={imageCost} />}
      </div>
    </div>
  );
}

/** "10 images for $5. No subscription needed." */
function SmallestPack({ facts: { offers, actions } }: Pick<HeroProps, "facts">) {
  const t = useTranslations();
  const priceTag = usePriceTag();
  const pack = offers?.packs[0];
  const { bought } = useCreditWords();
  const [action] = actions;
  if (!pack || !action) return null;
  return (
    <p className="small quiet">
      {t("home.from", {
        units: bought(action, pack.credits),
        price: priceTag(pack.amount),
      })}
    </p>
  );
}
