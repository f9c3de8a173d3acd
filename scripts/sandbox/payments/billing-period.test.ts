import { expect, test } from "vitest";
import { periodOf } from "./billing-period";

const days = (anchor: string, monthsEach = 1) =>
  [0, 1, 2, 3].map((index) =>
    periodOf(new Date(anchor), index, monthsEach).start.toISOString().slice(0, 10),
  );

test("months are counted from the anchor, and end where the month does", () => {
  expect(days("2025-01-31T23:30:00Z")).toEqual([
    "2025-01-31",
    "2025-02-28",
    "2025-03-31",
    "2025-04-30",
  ]);
  expect(days("2023-11-30T00:00:00Z")[3]).toBe("2024-02-29");
  expect(days("2024-02-29T12:00:00Z", 12)).toEqual([
    "2024-02-29",
    "2025-02-28",
    "2026-02-28",
    "2027-02-28",
  ]);
});

test("a period ends where the next begins, at the anchor's time of day", () => {
  const anchor = new Date("2025-01-31T23:30:15Z");
  expect(periodOf(anchor, 0, 1).end).toEqual(periodOf(anchor, 1, 1).start);
  expect(periodOf(anchor, 0, 1).end.toISOString()).toBe("2025-02-28T23:30:15.000Z");
});
