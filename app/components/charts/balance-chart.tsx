import { area, curveStepAfter, line } from "d3-shape";
import { useFormatter, useTranslations } from "use-intl";
import { ChartFrame } from "~/components/charts/chart-frame";
import { ChartTable } from "~/components/charts/chart-table";
import { creditScale, dayTicks, timeScale } from "~/components/charts/scales";

interface BalancePoint {
  at: Date;
  balance: number;
}

const HEIGHT = 220;

/** Days between two dates on the axis. */
const DATE_EVERY = 18;

interface BalanceChartProps {
  /** Oldest first. The first one is the balance at the beginning of the span. */
  points: BalancePoint[];
  days: number;
  now: Date;
}

/** The balance over time as a stepped area: it stays level until credits come or go. */
export function BalanceChart({ points, days, now }: BalanceChartProps) {
  const t = useTranslations();
  const format = useFormatter();
  const balances = points.map(({ balance }) => balance);
  const most = Math.max(...balances);
  const { y, ticks, floor } = creditScale({ most, height: HEIGHT });
  const from = points[0]?.at ?? now;
  const x = timeScale({ from, until: now });
  const last = points.at(-1)?.balance ?? 0;
  const steps = [...points, { at: now, balance: last }];
  const across = ({ at }: BalancePoint) => x(at);
  const down = ({ balance }: BalancePoint) => y(balance);
  const step = line(across, down).curve(curveStepAfter).digits(2);
  const filled = area(across, floor, down).curve(curveStepAfter).digits(2);
  const count = (balance: number | undefined) => format.number(balance ?? 0);
  const label = t("credits.chartText", {
    days,
    from: count(balances[0]),
    to: count(last),
    low: count(Math.min(...balances)),
    high: count(most),
  });
  return (
    <figure className="stack stack-3">
      <figcaption className="label">{t("credits.chart", { days })}</figcaption>
      <ChartFrame
        label={label}
        height={HEIGHT}
        floor={floor}
        ticks={ticks.map((value) => ({ value, at: y(value) }))}
        dates={dayTicks({ from, until: now, step: DATE_EVERY }).map((date) => ({
          date,
          at: x(date),
        }))}
      >
        <svg
          viewBox={`0 0 100 ${HEIGHT}`}
          preserveAspectRatio="none"
          width="100%"
          height={HEIGHT}
          aria-hidden="true"
        >
          <path className="area" d={filled(steps) ?? ""} />
          <path className="step" d={step(steps) ?? ""} />
        </svg>
        <circle className="now" cx="100%" cy={y(last)} r="5" />
      </ChartFrame>
      <ChartTable
        caption={t("credits.chart", { days })}
        head={[t("account.day"), t("credits.balanceAfter")]}
        rows={points.map(({ at, balance }) => [
          format.dateTime(at, { dateStyle: "medium" }),
          format.number(balance),
        ])}
      />
    </figure>
  );
}
