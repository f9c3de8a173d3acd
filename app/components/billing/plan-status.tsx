import { useTranslations } from "use-intl";
import { Badge, type BadgeTone } from "~/components/ui/badge";
import type { ShownSubscription } from "~/models/billing/subscriptions/shown-subscription";

const TONES: Record<ShownSubscription["status"], BadgeTone> = {
  active: "good",
  trialing: "good",
  past_due: "warn",
  unpaid: "warn",
  paused: "neutral",
  incomplete: "neutral",
  expired: "warn",
  canceled: "neutral",
  unknown: "warn",
};

/** A subscription's status in a word or two. */
export function PlanStatus({
  subscription: { status, cancelAtPeriodEnd },
}: {
  subscription: Pick<ShownSubscription, "status" | "cancelAtPeriodEnd">;
}) {
  const t = useTranslations();
  const names: Record<ShownSubscription["status"], string> = {
    active: t("billing.statusActive"),
    trialing: t("billing.statusTrialing"),
    past_due: t("billing.statusPastDue"),
    unpaid: t("billing.statusUnpaid"),
    paused: t("billing.statusPaused"),
    incomplete: t("billing.statusIncomplete"),
    expired: t("billing.statusExpired"),
    canceled: t("billing.statusCanceled"),
    unknown: t("billing.statusUnknown"),
  };
  const isEnding = cancelAtPeriodEnd && TONES[status] === "good";
  return isEnding ? (
    <Badge tone="neutral">{t("billing.statusEnding")}</Badge>
  ) : (
    <Badge tone={TONES[status]}>{names[status]}</Badge>
  );
}
