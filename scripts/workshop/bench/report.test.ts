import { expect, test } from "vitest";
import { type Figure, inTurns, median } from "./bench";
import { figuresAsJson, reportFigures } from "./report";

const figure = (ratio: number, goal: Figure["goal"]): Figure => ({
  what: "grants",
  unit: "/s",
  measured: { median: 10, low: 9, high: 12 },
  against: "one statement",
  reference: { median: 20, low: 20, high: 20 },
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

test("a goal of what was measured looks at no ratio, and says its unit", () => {
  const { lines, ok } = report(
    figure(99, { measuredAtMost: 10 }),
    figure(0, { measuredAtMost: 9 }),
  );
  expect(ok).toBe(false);
  expect(lines[1]).toMatch(/≤ 10 \/s +met$/);
  expect(lines[2]).toMatch(/≤ 9 \/s +MISSED$/);
});

test("the median is the middle one, or the mean of the two there", () => {
  expect(median([5, 1, 3])).toBe(3);
  expect(median([4, 1, 2, 9])).toBe(3);
});

test("the table shows medians with their spread, and a figure without a goal has no verdict", () => {
  const { lines, ok } = report(figure(0.1, null));
  expect(lines[1]).toContain("10.0/s (9.0–12.0)");
  expect(lines[1]).toContain("20.0/s  ");
  expect(lines.at(-1)).toBe("all 0 goals met");
  expect(ok).toBe(true);
});

test("the JSON says of each figure whether its goal was met", () => {
  const figures = new Map([["grants", [figure(0.4, { atLeast: 0.5 }), figure(1, null)]]]);
  const { figures: list } = JSON.parse(figuresAsJson(figures));
  expect(list).toMatchObject([
    { bench: "grants", ratio: 0.4, met: false },
    { bench: "grants", met: null },
  ]);
});

test("both sides run in turns, and the first round is not counted", async () => {
  const calls: string[] = [];
  const side = (name: string, values: number[]) => async () => {
    calls.push(name);
    return values.shift() ?? Number.NaN;
  };
  const measure = side("ours", [100, 1, 2, 3]);
  const figures = await inTurns({ rounds: 3, measure, reference: side("theirs", [1, 2, 2, 2]) });
  expect(calls).toEqual(["theirs", "ours", "theirs", "ours", "theirs", "ours", "theirs", "ours"]);
  expect(figures).toEqual({
    measured: { median: 2, low: 1, high: 3 },
    reference: { median: 2, low: 2, high: 2 },
    ratio: 1,
  });
});
