import { useParams } from "@remix-run/react";
import { useTranslations } from "use-intl";
import type { ProductFacts } from "~/components/product-facts";
import { usePriceTag } from "~/components/use-money";

/** The end of the page, for those who read so far and have no account. */
export function LastCall({ facts: { offers, imageCost } }: { facts: ProductFacts }) {
  const t = useTranslations();
  const { locale } = useParams();
  const priceTag = usePriceTag();
  const pack = offers?.packs[0];
  const title =
    pack && imageCost !== null
      ? t("home.callImages", {
          images: Math.floor(pack.credits / imageCost),
          price: priceTag(pack.amount),
        })
      : t("home.callPlain");
  return (
    <section className="last-call" aria-labelledby="last-call">
      <h2 id="last-call">{title}</h2>
      <p>{imageCost === null ? t("home.callTextPlain") : t("home.callText")}</p>
      <div className="row row-fill">
        <a className="btn btn-lg last-call-button" href={`/${locale}/sign-up`}>
          {t("nav.signUp")}
        </a>
        {offers ? (
          <a className="btn btn-lg last-call-link" href={`/${locale}/pricing`}>
            {t("home.seePricing")}
          </a>
        ) : null}
      </div>
    </section>
  );
}
