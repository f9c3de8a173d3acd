import { useFormatter, useTranslations } from "use-intl";
import type { ListedPayment } from "~/components/billing/listed-payment";
import { useMoney } from "~/components/use-money";
import { usePlanName } from "~/components/use-plan-name";

/** Names the item and the status of a subscription's payment. */
export function usePaymentWords() {
  const t = useTranslations();
  const money = useMoney();
  const planName = usePlanName();
  const format = useFormatter();
  return {
    /** Not `formatRange`: servers and browsers put other spaces into it. */
    span({ startsAt, endsAt }: ListedPayment, dateStyle: "medium" | "long"): string {
      const [from, until] = [startsAt, endsAt].map((at) => format.dateTime(at, { dateStyle }));
      return t("billing.fromUntil", { from: from ?? "", until: until ?? "" });
    },
    item({ planKey, period, kind }: ListedPayment): string {
      const plan = planName(planKey);
      if (kind === "upgrade") return t("billing.upgradeTo", { plan });
      return period === "year" ? t("billing.yearOf", { plan }) : t("billing.monthOf", { plan });
    },
    status({ amount, currency, amountReturned, closedAt }: ListedPayment): string {
      if (closedAt) return t("billing.orderRefunded");
      if (amountReturned > 0 && currency)
        return t("billing.returnedPart", { amount: money(amountReturned, currency) });
      return amount === null ? t("billing.amountUnknown") : t("billing.orderPaid");
    },
  };
}
