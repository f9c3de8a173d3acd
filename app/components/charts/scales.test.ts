import { expect, test } from "vitest";
import { sharesOf } from "~/components/charts/parts-bar";
import { barScale, creditScale, dayTicks, timeScale } from "~/components/charts/scales";

test.each([
  [0, [0, 1, 2, 3, 4]],
  [1, [0, 1, 2, 3, 4]],
  [40, [0, 10, 20, 30, 40]],
  [800, [0, 200, 400, 600, 800]],
  [12_345, [0, 5_000, 10_000, 15_000]],
])("an axis up to %i credits has few whole, round ticks", (most, ticks) => {
  expect(creditScale({ most, height: 200 }).ticks).toEqual(ticks);
});

test("an axis of credits begins at 0 on the floor, and its highest tick fits", () => {
  const { y, ticks, floor } = creditScale({ most: 730, height: 200 });
  expect(y(0)).toBe(floor);
  expect(y(ticks.at(-1) ?? 0)).toBeGreaterThan(0);
  expect(y(730)).toBeGreaterThanOrEqual(y(ticks.at(-1) ?? 0));
});

test("bars stand side by side within the width, in the order of their days", () => {
  const days = ["2026-11-20", "2026-11-21", "2026-11-22"];
  const x = barScale(days);
  const places = days.map((day) => x(day) ?? -1);
  for (const [index, place] of places.entries()) {
    expect(place + x.bandwidth()).toBeLessThan(places[index + 1] ?? 100);
  }
  expect(places[0]).toBeGreaterThan(0);
});

test("an axis of time runs from edge to edge, even where no time has passed", () => {
  const from = new Date("2026-08-24T12:00:00Z");
  const until = new Date("2026-11-22T12:00:00Z");
  const x = timeScale({ from, until });
  expect([x(from), x(until)]).toEqual([0, 100]);
  expect(x(new Date("2026-10-08T12:00:00Z"))).toBeCloseTo(50);
  expect(timeScale({ from, until: from })(from)).toBe(0);
});

test("dates on the axis are beginnings of UTC days, the newest one last", () => {
  const ticks = dayTicks({
    from: new Date("2026-11-01T10:00:00Z"),
    until: new Date("2026-11-22T09:00:00Z"),
    step: 7,
  });
  expect(ticks.map((date) => date.toISOString())).toEqual([
    "2026-11-08T00:00:00.000Z",
    "2026-11-15T00:00:00.000Z",
    "2026-11-22T00:00:00.000Z",
  ]);
});

test("parts of a bar fill it, and a small part can be seen", () => {
  expect(sharesOf([120, 600])).toEqual([16.67, 83.33]);
  const [small = 0, large = 0] = sharesOf([1, 9_999]);
  expect(small).toBeGreaterThan(1.5);
  expect(small + large).toBeCloseTo(100);
  expect(sharesOf([720])).toEqual([100]);
});
