import type { ReactNode } from "react";
import { useFormatter } from "use-intl";

interface ChartFrameProps {
  /** The chart in one or two sentences, for screen readers. */
  label: string;
  /** Pixels. */
  height: number;
  /** The axis of numbers, `at` in pixels from the top. */
  ticks: { value: number; at: number }[];
  /** The axis of time, `at` in percent of the width. */
  dates: { date: Date; at: number }[];
  /** The time that a date of the axis stands for. */
  unit?: "day" | "month";
  /** Pixels from the top to the axis of time. */
  floor: number;
  /** SVG in percent across and pixels down, so that no text or corner is stretched. */
  children: ReactNode;
}

/** The axes and lines of a chart, drawn on the server. */
export function ChartFrame({
  label,
  height,
  ticks,
  dates,
  unit = "day",
  floor,
  children,
}: ChartFrameProps) {
  const format = useFormatter();
  const rest = unit === "day" ? ({ day: "numeric" } as const) : ({ year: "numeric" } as const);
  return (
    <div className="chart">
      <svg className="chart-numbers" height={height} aria-hidden="true">
        {ticks.map(({ value, at }) => (
          <text key={value} x="100%" y={at} dy="0.32em" textAnchor="end">
            {format.number(value, { notation: "compact" })}
          </text>
        ))}
      </svg>
      <svg className="chart-plot" height={height} role="img" aria-label={label}>
        {ticks.map(({ value, at }) => (
          <line key={value} className="gridline" x1="0" x2="100%" y1={at} y2={at} />
        ))}
        {children}
        <line className="axis" x1="0" x2="100%" y1={floor} y2={floor} />
      </svg>
      <svg className="chart-dates" height="20" aria-hidden="true">
        {dates.map(({ date, at }) => (
          <text key={date.getTime()} x={`${at}%`} y="14" textAnchor={anchorAt(at)}>
            {format.dateTime(date, { month: "short", ...rest })}
          </text>
        ))}
      </svg>
    </div>
  );
}

/** A text at an edge would leave the chart if it stood in the middle of its place. */
function anchorAt(percent: number): "start" | "middle" | "end" {
  if (percent < 5) return "start";
  return percent > 95 ? "end" : "middle";
}
