import { useTranslations } from "use-intl";
import { useDay } from "~/components/use-day";
import type { NextCredits } from "~/models/billing/subscriptions/next-credits";

/** Says when a plan's next credits come and how many, or what they wait for. */
export function useNextCreditsWords(next: NextCredits): string {
  const t = useTranslations();
  const day = useDay();
  switch (next.status) {
    case "due":
      return t("billing.nextNow", { amount: next.amount });
    case "scheduled":
      return t("billing.nextOn", { amount: next.amount, date: day(next.at) });
    case "renewal":
      return t("billing.nextRenewal", { amount: next.amount, date: day(next.at) });
    case "payment":
      return t("billing.nextPayment");
    case "resumption":
      return t("billing.nextResumption");
    case "confirmation":
      return t("billing.nextConfirmation");
    case "none":
      return t("billing.nextNone");
  }
}
