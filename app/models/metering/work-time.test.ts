import { expect, test } from "vitest";
import { workMsWithin } from "~/models/metering/work-time";

test.each([
  [300, 240_000],
  [5, 3_000],
  [1, 600],
])("a run of %i s leaves %i ms for the work", (seconds, deadline) => {
  expect(workMsWithin(seconds)).toBe(deadline);
});
