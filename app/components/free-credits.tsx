import { useTranslations } from "use-intl";
import { CREDITS_PER_IMAGE } from "~/catalog";

interface FreeCreditsProps {
  /** Credits that a new account gets, above 0. */
  credits: number;
  /** Whether images can be made here. */
  hasImages: boolean;
}

/** Says what a new account gets for free, in images where they pay for one, and when. */
export function FreeCredits({ credits, hasImages }: FreeCreditsProps) {
  const t = useTranslations();
  const images = hasImages ? Math.floor(credits / CREDITS_PER_IMAGE) : 0;
  return <>{images > 0 ? t("free.images", { images }) : t("free.credits", { credits })}</>;
}
