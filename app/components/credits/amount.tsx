import { useFormatter } from "use-intl";

/** A change of the balance, with its sign. */
export function Amount({ amount, isLost = false }: { amount: number; isLost?: boolean }) {
  const format = useFormatter();
  // A true minus sign: as wide as the plus.
  const text = format.number(amount, { signDisplay: "exceptZero" }).replace("-", "\u2212");
  const look = isLost ? "lost" : amount > 0 ? "plus" : "minus";
  return (
    <data value={amount} className={look}>
      {text}
    </data>
  );
}
