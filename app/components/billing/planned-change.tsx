import { useParams } from "@remix-run/react";
import { useTranslations } from "use-intl";
import { findPlan, type Period } from "~/catalog";
import { usePlanPrice } from "~/components/billing/use-plan-price";
import { Button } from "~/components/ui/button";
import { useDay } from "~/components/use-day";
import { usePlanName } from "~/components/use-plan-name";

interface PlannedChangeProps {
  subscriptionId: string;
  planned: { planKey: string; period: Period; at: Date | null };
}

/** The change that comes at the period's end, and a button that drops it. */
export function PlannedChange({ subscriptionId, planned }: PlannedChangeProps) {
  const t = useTranslations();
  const day = useDay();
  const { locale } = useParams();
  const planPrice = usePlanPrice();
  const { planKey, period, at } = planned;
  const plan = usePlanName()(planKey);
  const amount = findPlan(planKey)?.amounts[period];
  const price = amount === undefined ? "" : planPrice({ period, amount });
  return (
    <form
      method="post"
      action={`/${locale}/account/billing/change?subscription=${subscriptionId}`}
      className="planned"
    >
      <p>
        {at
          ? t("billing.plannedFrom", {
              date: day(at),
              plan,
              price,
            })
          : t("billing.plannedLater", { plan, price })}
      </p>
      <Button look="secondary" size="small" name="intent" value="undo">
        {t("billing.undo")}
      </Button>
    </form>
  );
}
