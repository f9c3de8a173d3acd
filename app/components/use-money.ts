import { useFormatter } from "use-intl";

/** Formats an amount in minor units in the page's language. */
export function useMoney(): (amount: number, currency: string) => string {
  const format = useFormatter();
  return (amount, currency) => {
    const style = { style: "currency", currency } as const;
    // The number of minor units differs: 100 cents in a dollar, 1 yen in a yen.
    const digits = new Intl.NumberFormat("en", style).resolvedOptions().maximumFractionDigits ?? 2;
    return format.number(amount / 10 ** digits, style);
  };
}
