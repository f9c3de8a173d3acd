import { useFormatter } from "use-intl";

/** Writes an amount in its currency's minor unit as the page's language writes money. */
export function useMoney(): (amount: number, currency: string) => string {
  const format = useFormatter();
  return (amount, currency) => {
    const style = { style: "currency", currency } as const;
    // How many minor units make one differs: 100 cents a dollar, 1 yen a yen.
    const digits = new Intl.NumberFormat("en", style).resolvedOptions().maximumFractionDigits ?? 2;
    return format.number(amount / 10 ** digits, style);
  };
}
