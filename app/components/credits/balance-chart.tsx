import { useFormatter, useTranslations } from "use-intl";

interface BalancePoint {
  at: Date | string;
  balance: number;
}

const WIDTH = 600;
const HEIGHT = 120;

/** The balance over time as a step chart drawn on the server, with a summary in words. */
export function BalanceChart({ points, days }: { points: BalancePoint[]; days: number }) {
  const t = useTranslations();
  const format = useFormatter();
  const balances = points.map(({ balance }) => balance);
  const high = Math.max(...balances);
  const count = (balance: number | undefined) => format.number(balance ?? 0);
  const text = t("credits.chartText", {
    from: count(balances[0]),
    to: count(balances.at(-1)),
    low: count(Math.min(...balances)),
    high: count(high),
  });
  return (
    <figure className="grid gap-2">
      <figcaption className="text-14 text-ink-2">{t("credits.chart", { days })}</figcaption>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        role="img"
        aria-label={text}
        preserveAspectRatio="none"
        className="h-32 w-full rounded-md border border-line text-accent-ink"
      >
        <path
          d={stepPath(points, high)}
          fill="none"
          stroke="currentColor"
          strokeWidth="2"
          vectorEffect="non-scaling-stroke"
        />
      </svg>
      <p className="text-14 text-ink-2">{text}</p>
    </figure>
  );
}

/**
 * Returns the path: right until the balance changes, then up or down. The last step ends at the
 * edge.
 */
function stepPath(points: BalancePoint[], high: number): string {
  const times = points.map(({ at }) => new Date(at).getTime());
  const start = times[0] ?? 0;
  const span = Math.max(1, Date.now() - start);
  const margin = HEIGHT / 10;
  const x = (time: number) => Math.round(((time - start) / span) * WIDTH);
  const y = (balance: number) =>
    Math.round(HEIGHT - margin - (balance / Math.max(1, high)) * (HEIGHT - 2 * margin));
  const steps = points.map(({ balance }, index) =>
    index === 0 ? `M0 ${y(balance)}` : `H${x(times[index] ?? start)}V${y(balance)}`,
  );
  return `${steps.join("")}H${WIDTH}`;
}
