import { useTranslations } from "use-intl";
import { Facts } from "~/components/ui/facts";
import { useMoney } from "~/components/use-money";
import { usePlanName } from "~/components/use-plan-name";
import type { ChangePrice, DueLine } from "~/services/payments/plan-changes";

interface DueTodayProps {
  price: Pick<ChangePrice, "isExact" | "amountDue" | "currency" | "lines">;
  provider: string;
  plans: { from: string; to: string };
}

/** The amount due for a change at once, and what it is made of. */
export function DueToday({ price, provider, plans }: DueTodayProps) {
  const t = useTranslations();
  const money = useMoney();
  const planName = usePlanName();
  const { isExact, amountDue, currency, lines } = price;
  const amount = money(amountDue, currency);
  const labels: Record<DueLine["kind"], string> = {
    new: planName(plans.to),
    unused: t("changePlan.lineUnused", { plan: planName(plans.from) }),
    tax: t("changePlan.lineTax"),
    balance: t("changePlan.lineBalance"),
  };
  return (
    <>
      <p className={isExact ? "big" : "big big-32"}>
        {isExact ? amount : t("changePlan.about", { amount })}
      </p>
      {isExact ? null : <p className="small quiet">{t("changePlan.estimate", { provider })}</p>}
      <Facts
        facts={lines.map(({ kind, amount: part }) => ({
          name: labels[kind],
          value: money(part, currency),
        }))}
      />
    </>
  );
}
