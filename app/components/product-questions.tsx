import { useTranslations } from "use-intl";
import { providerName } from "~/components/billing/provider-name";
import { imagePriceRange } from "~/components/pricing/price-facts";
import type { ProductFacts } from "~/components/product-facts";
import { Questions } from "~/components/ui/questions";
import { useCreditWords } from "~/components/use-credit-words";
import { usePriceTag } from "~/components/use-money";

/** Lists buyers' questions with the answers that are true here. Nothing about features that are off. */
export function ProductQuestions({ facts }: { facts: ProductFacts }) {
  const t = useTranslations();
  const priceTag = usePriceTag();
  const { offers, imageCost, paymentProvider, hasFiles } = facts;
  const hasImages = imageCost !== null;
  const others = facts.actions.filter((action) => action !== "image");
  const { rate } = useCreditWords();
  const range = offers && hasImages ? imagePriceRange(offers, imageCost) : null;
  const provider = paymentProvider && offers ? providerName(paymentProvider) : null;
  const seen = [
    ...(hasFiles ? [t("questions.seenFiles")] : []),
    ...(hasImages ? [t("questions.seenImages")] : []),
  ];
  const questions = [
    hasImages && {
      question: t("questions.cost"),
      answer: range
        ? t("questions.costAnswerPriced", {
            cost: imageCost,
            lowest: priceTag(range.lowest),
            highest: priceTag(range.highest),
          })
        : t("questions.costAnswer", { cost: imageCost }),
    },
    others.length > 0 && {
      question: t("questions.buys"),
      answer: others.map((action) => `${rate(action)}.`).join(" "),
    },
    hasImages && { question: t("questions.failure"), answer: t("questions.failureAnswer") },
    offers && { question: t("questions.expiry"), answer: t("questions.expiryAnswer") },
    provider && { question: t("questions.pay"), answer: t("questions.payAnswer", { provider }) },
    offers &&
      offers.plans.length > 0 && {
        question: t("questions.change"),
        answer: t("questions.changeAnswer"),
      },
    seen.length > 0 && { question: t("questions.seen"), answer: seen.join(" ") },
  ];
  const asked = questions.filter((entry) => typeof entry === "object" && entry !== null);
  return asked.length > 0 ? <Questions questions={asked} /> : null;
}
