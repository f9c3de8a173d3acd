import { useTranslations } from "use-intl";
import { CURRENCY, type Period } from "~/catalog";
import { useMoney } from "~/components/use-money";

/** Returns a plan's price with its period, "$9.00 a month". `amount` in minor units. */
export function usePlanPrice(): (price: { period: Period; amount: number }) => string {
  const t = useTranslations();
  const money = useMoney();
  return ({ period, amount }) => {
    const price = money(amount, CURRENCY);
    return period === "month" ? t("pricing.byMonth", { price }) : t("pricing.byYear", { price });
  };
}
