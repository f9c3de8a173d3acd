import { useTranslations } from "use-intl";
import { PartsBar } from "~/components/charts/parts-bar";
import { useDay } from "~/components/use-day";
import type { Holdings } from "~/models/credits/holdings";

/** The balance as a bar: the credits that expire next, those that expire later, and those that stay. */
export function HoldingsBar({ holdings }: { holdings: Holdings }) {
  const t = useTranslations();
  const day = useDay();
  const { balance, expiring, later, lasting } = holdings;
  if (balance === 0) return null;
  const parts = [
    ...(expiring
      ? [
          {
            key: "expiring",
            amount: expiring.amount,
            look: "soon" as const,
            text: t("credits.expiring", { amount: expiring.amount, date: day(expiring.at) }),
          },
        ]
      : []),
    ...(later > 0
      ? [
          {
            key: "later",
            amount: later,
            look: "keep" as const,
            text: t("credits.expiringLater", { amount: later }),
          },
        ]
      : []),
    ...(lasting > 0
      ? [
          {
            key: "lasting",
            amount: lasting,
            look: "keep" as const,
            text: t("credits.neverExpiring", { amount: lasting }),
          },
        ]
      : []),
  ];
  return (
    <div className="stack stack-3">
      <PartsBar parts={parts} />
      <ul className="legend">
        {parts.map(({ key, look, text }) => (
          <li key={key}>
            <span className={look === "soon" ? "swatch swatch-soon" : "swatch swatch-keep"} />
            <span>{text}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
