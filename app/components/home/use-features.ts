import { useFormatter, useTranslations } from "use-intl";
import { providerName } from "~/components/billing/provider-name";
import type { ProductFacts } from "~/components/product-facts";
import type { IconName } from "~/components/ui/icon";
import type { ImageProviderName } from "~/env/images";
import { MAX_FILE_BYTES } from "~/services/storage/content-types";
import { megabytes } from "~/services/storage/megabytes";

interface Feature {
  icon: IconName;
  title: string;
  text: string;
}

const IMAGE_PROVIDERS: Record<ImageProviderName, string> = {
  fal: "fal",
  replicate: "Replicate",
  openai: "OpenAI",
};

/** Returns what a customer gets besides credits, as far as it is on here. */
export function useFeatures(facts: ProductFacts): Feature[] {
  const t = useTranslations();
  const format = useFormatter();
  const { offers, paymentProvider, hasFiles, imageProviders } = facts;
  const features: Feature[] = [];
  const [first, ...others] = imageProviders.map((name) => IMAGE_PROVIDERS[name]);
  if (first && others.length > 0) {
    features.push({
      icon: "layers",
      title: t("home.providers", { count: imageProviders.length }),
      text: t("home.providersText", {
        first,
        others: format.list(others, { type: "disjunction" }),
      }),
    });
  }
  if (hasFiles) {
    features.push({
      icon: "folder",
      title: t("home.files"),
      text: [
        t("home.filesText", { size: megabytes(MAX_FILE_BYTES) }),
        ...(facts.imageCost === null ? [] : [t("home.filesImages")]),
      ].join(" "),
    });
  }
  if (offers && paymentProvider) {
    features.push({
      icon: "shield",
      title: t("home.checkout", { provider: providerName(paymentProvider) }),
      text: t("home.checkoutText"),
    });
  }
  if (offers && offers.plans.length > 0) {
    features.push(
      { icon: "cal", title: t("home.monthly"), text: t("home.monthlyText") },
      { icon: "undo", title: t("home.leave"), text: t("home.leaveText") },
    );
  }
  return features;
}
