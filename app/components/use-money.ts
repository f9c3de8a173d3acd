import { useLocale } from "use-intl";
import { formatMoney } from "~/utils/money";

/** Formats an amount in minor units in the page's language. */
export function useMoney(): (amount: number, currency: string) => string {
  const locale = useLocale();
  return (amount, currency) => formatMoney({ amount, currency }, locale);
}
