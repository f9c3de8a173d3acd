import { useTranslations } from "use-intl";
import {
  type ImagePrice,
  planPricePerImage,
  pricePerImage,
} from "~/components/pricing/price-facts";
import { usePriceTag } from "~/components/use-money";
import type { PlanOffer } from "~/models/billing/checkouts/offers";

const DAYS_PER_MONTH = 30;
const WEEKS_PER_MONTH = 52 / 12;

/**
 * Returns functions that say what credits buy in images. `imageCost` in credits; null while image generation
 * is off, when there is nothing to say.
 */
export function useImageWords(imageCost: number | null) {
  const t = useTranslations();
  const priceTag = usePriceTag();
  if (imageCost === null) return null;
  const imagesAt = (credits: number, { amount, isExact }: ImagePrice) => {
    const figures = { images: Math.floor(credits / imageCost), price: priceTag(amount) };
    return isExact ? t("pricing.imagesEach", figures) : t("pricing.imagesAboutEach", figures);
  };
  return {
    /** "About 4 images a day." */
    pace(creditsPerMonth: number): string {
      const images = Math.floor(creditsPerMonth / imageCost);
      const aDay = Math.round(images / DAYS_PER_MONTH);
      return aDay > 1
        ? t("pricing.paceByDay", { images: aDay })
        : t("pricing.paceByWeek", { images: Math.round(images / WEEKS_PER_MONTH) });
    },
    /** "30 images, $0.25 each". */
    planImages: (plan: PlanOffer, price: PlanOffer["prices"][number]) =>
      imagesAt(plan.creditsPerMonth, planPricePerImage(plan, price, imageCost)),
    packImages: (pack: { credits: number; amount: number }) =>
      imagesAt(pack.credits, pricePerImage(pack, imageCost)),
  };
}
