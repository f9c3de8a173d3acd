import { useTranslations } from "use-intl";
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
      <p className="text-44 font-semibold tabular-nums">
        {isExact ? amount : t("changePlan.about", { amount })}
      </p>
      {isExact ? null : (
        <p className="text-14 text-ink-2">{t("changePlan.estimate", { provider })}</p>
      )}
      <dl className="grid gap-1 text-14">
        {lines.map(({ kind, amount: part }) => (
          <div key={kind} className="flex justify-between gap-6">
            <dt className="text-ink-2">{labels[kind]}</dt>
            <dd className="tabular-nums">{money(part, currency)}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}
