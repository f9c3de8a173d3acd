import { expect, test } from "vitest";
import { type Figure, median } from "./bench";
import { reportFigures } from "./report";

const figure = (ratio: number, goal: Figure["goal"]): Figure => ({
  what: "grants",
  measured: "10 a second",
  against: "one statement",
  reference: "20 a second",
  ratio,
  goal,
});

const report = (...list: Figure[]) => reportFigures(new Map([["grants", list]]));

test("a goal that is just met counts as met, whichever way it points", () => {
  const { lines, ok } = report(figure(0.5, { atLeast: 0.5 }), figure(1.5, { atMost: 1.5 }));
  expect(ok).toBe(true);
  expect(lines.join("\n")).not.toContain("MISSED");
  expect(lines.at(-1)).toBe("all 2 goals met");
});

test.each([
  figure(0.49, { atLeast: 0.5 }),
  figure(1.51, { atMost: 1.5 }),
  figure(Number.NaN, { atMost: 1.5 }),
  figure(Number.POSITIVE_INFINITY, { atLeast: 0.5 }),
])("a goal that is missed, or measured by nothing, is said to be", (missed) => {
  const { lines, ok } = report(figure(0.9, { atLeast: 0.5 }), missed);
  expect(ok).toBe(false);
  expect(lines.filter((line) => line.endsWith("MISSED"))).toHaveLength(1);
  expect(lines.at(-1)).toBe("1 of 2 goals missed");
});

test("the median is the middle one, or the mean of the two there", () => {
  expect(median([5, 1, 3])).toBe(3);
  expect(median([4, 1, 2, 9])).toBe(3);
});
