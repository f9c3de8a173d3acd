import { useTranslations } from "use-intl";
import type { ShownTopUp } from "~/components/billing/shown-top-up";
import type { BadgeTone } from "~/components/ui/badge";

type Attempt = Pick<ShownTopUp["attempts"][number], "status" | "reason">;

/** Returns what became of an attempt, in words. */
export function useTopUpStatus(): (attempt: Attempt) => { text: string; tone: BadgeTone } {
  const t = useTranslations();
  return ({ status, reason }) => {
    if (status === "paid") return { text: t("topUp.statusPaid"), tone: "good" };
    if (status === "declined") return { text: t("topUp.statusDeclined"), tone: "bad" };
    if (status !== "canceled") return { text: t("topUp.statusOpen"), tone: "accent" };
    if (reason === "authentication_required")
      return { text: t("topUp.statusAction"), tone: "warn" };
    if (reason === "monthly_amount") return { text: t("topUp.statusMonthly"), tone: "neutral" };
    return { text: t("topUp.statusCanceled"), tone: "neutral" };
  };
}
