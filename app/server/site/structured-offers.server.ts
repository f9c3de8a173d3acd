import { CURRENCY, findPlan, type Period, PRODUCT_NAME } from "~/catalog";
import type { Locale } from "~/i18n/locale";
import { translatorFor } from "~/i18n/messages.server";
import type { Offers } from "~/models/billing/checkouts/offers";
import { pageUrl } from "~/public-pages";
import { minorUnitDigits } from "~/utils/money";

/** Periods as UN/CEFACT writes them. */
const UNIT_CODES: Record<Period, string> = { month: "MON", year: "ANN" };

/** Describes what is for sale as a schema.org product; null if nothing is. */
export function structuredOffers(
  offers: Offers | null,
  { locale, siteOrigin }: { locale: Locale; siteOrigin: string },
): object | null {
  const t = translatorFor(locale);
  const url = pageUrl(siteOrigin, locale, "/pricing");
  const plans = (offers?.plans ?? []).flatMap(({ planKey, prices }) => {
    const plan = findPlan(planKey);
    return prices.map(({ period, amount }) => ({
      ...describeOffer(plan ? t(plan.nameKey) : planKey, amount, url),
      priceSpecification: {
        "@type": "UnitPriceSpecification",
        ...describePrice(amount),
        unitCode: UNIT_CODES[period],
      },
    }));
  });
  const packs = (offers?.packs ?? []).map(({ credits, amount }) =>
    describeOffer(t("meta.pack", { credits }), amount, url),
  );
  const all = [...plans, ...packs];
  if (all.length === 0) return null;
  return {
    "@context": "https://schema.org",
    "@type": "Product",
    name: PRODUCT_NAME,
    description: t("meta.pricing"),
    image: `${siteOrigin}/og/pricing.png`,
    url,
    offers: all,
  };
}

function describeOffer(name: string, amount: number, url: string) {
  const availability = "https://schema.org/InStock";
  return { "@type": "Offer", name, ...describePrice(amount), availability, url };
}

function describePrice(amount: number) {
  const digits = minorUnitDigits(CURRENCY);
  return {
    price: (amount / 10 ** digits).toFixed(digits),
    priceCurrency: CURRENCY.toUpperCase(),
  };
}
