import { useTranslations } from "use-intl";
import { useDay } from "~/components/use-day";
import type { SubscriptionStatus } from "~/services/payments/billing-event";

interface SubscriptionState {
  status: SubscriptionStatus;
  cancelAtPeriodEnd: boolean;
  /** The end of the current period, as far as the provider has reported it. */
  periodEnd: Date | null;
  endedAt: Date | null;
}

/** Returns a subscription's status in a word or two, and its consequence in a sentence. */
export function useStatusWords({
  status,
  cancelAtPeriodEnd,
  periodEnd,
  endedAt,
}: SubscriptionState): {
  name: string;
  meaning: string;
} {
  const t = useTranslations();
  const day = useDay();
  const ends = periodEnd ? t("billing.ends", { date: day(periodEnd) }) : t("billing.endsLater");
  const renews = periodEnd
    ? t("billing.renews", { date: day(periodEnd) })
    : t("billing.renewsLater");
  const over = endedAt ?? periodEnd;
  if (cancelAtPeriodEnd && (status === "active" || status === "trialing")) {
    return { name: t("billing.statusEnding"), meaning: ends };
  }
  switch (status) {
    case "active":
      return { name: t("billing.statusActive"), meaning: renews };
    case "trialing":
      return {
        name: t("billing.statusTrialing"),
        meaning: periodEnd ? t("billing.trialEnds", { date: day(periodEnd) }) : renews,
      };
    case "past_due":
      return {
        name: t("billing.statusPastDue"),
        meaning: cancelAtPeriodEnd ? t("billing.endsOpen") : t("billing.pastDue"),
      };
    case "unpaid":
      return {
        name: t("billing.statusUnpaid"),
        meaning: cancelAtPeriodEnd ? t("billing.endsOpen") : t("billing.unpaid"),
      };
    case "paused":
      return {
        name: t("billing.statusPaused"),
        meaning: cancelAtPeriodEnd ? ends : t("billing.paused"),
      };
    case "incomplete":
      return { name: t("billing.statusIncomplete"), meaning: t("billing.incomplete") };
    case "expired":
      return { name: t("billing.statusExpired"), meaning: t("billing.expired") };
    case "canceled":
      return {
        name: t("billing.statusCanceled"),
        meaning: over ? t("billing.ended", { date: day(over) }) : t("billing.endedBefore"),
      };
    case "unknown":
      return { name: t("billing.statusUnknown"), meaning: t("billing.unknown") };
  }
}
