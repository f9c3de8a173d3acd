import { useTranslations } from "use-intl";
import type { Period } from "~/catalog";
import { monthsFree } from "~/components/pricing/price-facts";
import { Badge } from "~/components/ui/badge";
import type { PlanOffer } from "~/models/billing/checkouts/offers";

interface PeriodSwitchProps {
  plans: PlanOffer[];
  /** The choice the page begins with. */
  period: Period;
}

/**
 * Switches all plans between monthly and yearly prices. The style sheet shows the parts of the page that
 * belong to the choice; `shownFor` marks them.
 */
export function PeriodSwitch({ plans, period }: PeriodSwitchProps) {
  const t = useTranslations();
  const months = monthsFree(plans);
  return (
    <fieldset className="segmented" id="period">
      <legend className="sr-only">{t("pricing.howOften")}</legend>
      <label>
        <input type="radio" name="period" value="month" defaultChecked={period === "month"} />
        {t("pricing.monthly")}
      </label>
      <label>
        <input type="radio" name="period" value="year" defaultChecked={period === "year"} />
        {t("pricing.yearly")}
        {months === null ? null : <Badge tone="good">{t("pricing.monthsFree", { months })}</Badge>}
      </label>
    </fieldset>
  );
}

/** Returns the class of what belongs to one period; none for a plan that has only this one. */
export function shownFor(period: Period, { prices }: Pick<PlanOffer, "prices">): string {
  return prices.length > 1 ? `by-${period}` : "";
}

/** Whether any plan is sold both ways. */
export function hasPeriodChoice(plans: PlanOffer[]): boolean {
  return plans.some(({ prices }) => prices.length > 1);
}
