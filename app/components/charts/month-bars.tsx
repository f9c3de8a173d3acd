import { useFormatter } from "use-intl";
import { ChartFrame } from "~/components/charts/chart-frame";
import { barScale, creditScale } from "~/components/charts/scales";

const HEIGHT = 180;

/** Months between two dates on the axis, where there are more bars than fit with a date each. */
const DATE_EVERY = 3;
const DATED = 4;

interface MonthBarsProps {
  /** The chart in a sentence, for screen readers. */
  label: string;
  /** Oldest first. A value below 0 has no bar. */
  bars: { month: string; value: number }[];
}

/** One bar per month. The table below it has the numbers. */
export function MonthBars({ label, bars }: MonthBarsProps) {
  const format = useFormatter();
  const most = Math.max(...bars.map(({ value }) => value));
  const { y, ticks, floor } = creditScale({ most, height: HEIGHT });
  const x = barScale(bars.map(({ month }) => month));
  const every = bars.length > DATED ? DATE_EVERY : 1;
  const name = (month: string) =>
    format.dateTime(new Date(month), { month: "short", year: "numeric" });
  return (
    <ChartFrame
      label={label}
      height={HEIGHT}
      floor={floor}
      unit="month"
      ticks={ticks.map((value) => ({ value, at: y(value) }))}
      dates={bars.flatMap(({ month }, index) =>
        (bars.length - 1 - index) % every === 0
          ? [{ date: new Date(month), at: (x(month) ?? 0) + x.bandwidth() / 2 }]
          : [],
      )}
    >
      {bars.map(({ month, value }) =>
        value > 0 ? (
          <rect
            key={month}
            className="bar"
            x={`${x(month)}%`}
            width={`${x.bandwidth()}%`}
            y={y(value)}
            height={floor - y(value)}
            rx="3"
          >
            <title>{`${name(month)}: ${format.number(value)}`}</title>
          </rect>
        ) : null,
      )}
    </ChartFrame>
  );
}
