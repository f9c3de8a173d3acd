import { useTranslations } from "use-intl";
import type { Period } from "~/catalog";
import { priceFor, yearlySaving } from "~/components/pricing/price-facts";
import { Badge } from "~/components/ui/badge";
import { usePriceTag } from "~/components/use-money";
import type { PlanOffer } from "~/models/billing/checkouts/offers";

interface PlanPriceProps {
  plan: PlanOffer;
  period: Period;
  className: string;
}

/** A plan's price for one period, with what a year saves. */
export function PlanPrice({ plan, period, className }: PlanPriceProps) {
  const t = useTranslations();
  const priceTag = usePriceTag();
  const amount = priceFor(plan, period) ?? 0;
  return (
    <div className={className}>
      <p className="big">
        {priceTag(amount)}
        <small>{` ${period === "month" ? t("pricing.aMonth") : t("pricing.aYear")}`}</small>
      </p>
      {period === "month" ? <OrByYear plan={plan} /> : <PerMonth plan={plan} amount={amount} />}
    </div>
  );
}

function OrByYear({ plan }: { plan: PlanOffer }) {
  const t = useTranslations();
  const priceTag = usePriceTag();
  const year = priceFor(plan, "year");
  const saving = yearlySaving(plan);
  if (year === null) return null;
  const price = priceTag(year);
  return (
    <p className="plan-sub muted">
      {saving === null
        ? t("pricing.orByYear", { price })
        : t("pricing.orByYearSaving", { price, saving: priceTag(saving) })}
    </p>
  );
}

function PerMonth({ plan, amount }: { plan: PlanOffer; amount: number }) {
  const t = useTranslations();
  const priceTag = usePriceTag();
  const saving = yearlySaving(plan);
  return (
    <p className="plan-sub">
      {saving === null ? null : (
        <Badge tone="good">{t("pricing.save", { saving: priceTag(saving) })}</Badge>
      )}{" "}
      <span className="muted">
        {t("pricing.byMonth", { price: priceTag(Math.round(amount / 12)) })}
      </span>
    </p>
  );
}
