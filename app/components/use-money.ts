import { useLocale } from "use-intl";
import { CURRENCY } from "~/catalog";
import { formatMoney } from "~/utils/money";

/** Formats an amount in minor units in the page's language. */
export function useMoney(): (amount: number, currency: string) => string {
  const locale = useLocale();
  return (amount, currency) => formatMoney({ amount, currency }, locale);
}

/** Formats a price of the catalog, in minor units, as on a price tag: "$9", "$0.30". */
export function usePriceTag(): (amount: number) => string {
  const locale = useLocale();
  return (amount) => formatMoney({ amount, currency: CURRENCY }, locale, { short: true });
}
