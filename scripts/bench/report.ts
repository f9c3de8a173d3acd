import { textTable } from "../lib/text-table";
import { type Figure, isMet } from "./bench";

const HEADINGS = ["bench", "measured", "", "beside", "", "ratio", "goal", ""];

/** Formats the figures of all benches as one table. `ok` is true if every goal was met. */
export function reportFigures(figures: Map<string, Figure[]>): { lines: string[]; ok: boolean } {
  const all = [...figures].flatMap(([name, list]) => list.map((figure) => ({ name, figure })));
  const rows = all.map(({ name, figure }) => [
    name,
    figure.what,
    figure.measured,
    figure.against,
    figure.reference,
    figure.ratio.toFixed(2),
    "atLeast" in figure.goal ? `≥ ${figure.goal.atLeast}` : `≤ ${figure.goal.atMost}`,
    isMet(figure) ? "met" : "MISSED",
  ]);
  const missed = all.filter(({ figure }) => !isMet(figure)).length;
  const verdict =
    missed === 0 ? `all ${all.length} goals met` : `${missed} of ${all.length} goals missed`;
  return { lines: [...textTable([HEADINGS, ...rows]), "", verdict], ok: missed === 0 };
}
