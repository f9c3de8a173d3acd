import { expect, test } from "vitest";
import { isDay } from "~/utils/is-day";

test.each([
  ["2026-10-31", true],
  ["2024-02-29", true],
  ["2026-02-29", false],
  ["2026-02-31", false],
  ["2026-13-01", false],
  ["2026-00-10", false],
  ["2026-1-1", false],
  ["2026-10-31T00:00", false],
  ["", false],
])("%s is a day of the calendar: %s", (text, is) => expect(isDay(text)).toBe(is));
