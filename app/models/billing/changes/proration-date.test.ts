import { expect, test } from "vitest";
import { isPriceCurrent, prorationDate } from "~/models/billing/changes/proration-date";

const periodStart = new Date("2026-11-05T09:00:00Z");
const now = new Date("2026-11-21T09:07:30Z");

test("one price holds for ten minutes, so that a repeated request is the same request", () => {
  const at = prorationDate(now, periodStart);
  expect(at).toEqual(new Date("2026-11-21T09:00:00Z"));
  expect(prorationDate(new Date("2026-11-21T09:09:59Z"), periodStart)).toEqual(at);
});

test("a change is never prorated from the period's own start, which is another payment's", () => {
  const minute = new Date("2026-11-05T09:01:00Z");
  expect(prorationDate(minute, periodStart)).toEqual(new Date("2026-11-05T09:00:01Z"));
  const odd = new Date("2026-11-05T09:00:00.750Z");
  expect(prorationDate(minute, odd)).toEqual(new Date("2026-11-05T09:00:01Z"));
});

test("a price is charged for half an hour, never before its time, and never for another period", () => {
  const isCurrent = (at: string) => isPriceCurrent(new Date(at), { now, periodStart });
  expect(isCurrent("2026-11-21T09:00:00Z")).toBe(true);
  expect(isCurrent("2026-11-21T08:40:00Z")).toBe(true);
  expect(isCurrent("2026-11-21T08:37:30Z")).toBe(false);
  expect(isCurrent("2026-11-21T09:10:00Z")).toBe(false);
  expect(isPriceCurrent(periodStart, { now: periodStart, periodStart })).toBe(false);
});
