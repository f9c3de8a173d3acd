import { textTable } from "../../lib/text-table";
import { type Figure, isMet, type Spread } from "./bench";

const HEADINGS = ["bench", "measured", "", "beside", "", "ratio", "goal", ""];

/**
 * Formats the figures of all benches as one table: medians, with the lowest and highest round in
 * brackets. `ok` is true if every goal was met.
 */
export function reportFigures(figures: Map<string, Figure[]>): { lines: string[]; ok: boolean } {
  const all = [...figures].flatMap(([name, list]) => list.map((figure) => ({ name, figure })));
  const rows = all.map(({ name, figure }) => [
    name,
    figure.what,
    format(figure.measured, figure.unit),
    figure.against,
    format(figure.reference, figure.unit),
    figure.ratio.toFixed(2),
    describeGoal(figure),
    verdictOn(figure),
  ]);
  const goals = all.filter(({ figure }) => figure.goal !== null);
  const missed = goals.filter(({ figure }) => !isMet(figure)).length;
  const verdict =
    missed === 0 ? `all ${goals.length} goals met` : `${missed} of ${goals.length} goals missed`;
  return { lines: [...textTable([HEADINGS, ...rows]), "", verdict], ok: missed === 0 };
}

/** The same as JSON, for machines. */
export function figuresAsJson(figures: Map<string, Figure[]>): string {
  const list = [...figures].flatMap(([bench, own]) =>
    own.map((figure) => ({ bench, ...figure, met: figure.goal && isMet(figure) })),
  );
  return JSON.stringify({ figures: list }, null, 2);
}

function format({ median, low, high }: Spread, unit: Figure["unit"]): string {
  const text = (value: number) => value.toFixed(value < 100 ? 1 : 0);
  const range = low === high ? "" : ` (${text(low)}–${text(high)})`;
  return `${text(median)}${unit === "/s" ? "" : " "}${unit}${range}`;
}

function describeGoal({ goal, unit }: Figure): string {
  if (goal === null) return "";
  if ("measuredAtMost" in goal) return `≤ ${goal.measuredAtMost} ${unit}`;
  const round = (limit: number) => Number(limit.toFixed(2));
  return "atLeast" in goal ? `≥ ${round(goal.atLeast)}` : `≤ ${round(goal.atMost)}`;
}

function verdictOn(figure: Figure): string {
  if (figure.goal === null) return "";
  return isMet(figure) ? "met" : "MISSED";
}
