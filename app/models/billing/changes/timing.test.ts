import { expect, test } from "vitest";
import type { Period } from "~/catalog";
import { changeTiming } from "~/models/billing/changes/timing";

const choice = (text: string) => {
  const [planKey = "", period] = text.split(" ");
  return { planKey, period: period as Period };
};

test.each([
  ["starter month", "starter month", "same"],
  ["starter month", "starter year", "now"],
  ["starter month", "pro month", "now"],
  ["starter month", "pro year", "now"],
  ["starter year", "starter month", "period_end"],
  ["starter year", "pro month", "period_end"],
  ["starter year", "pro year", "now"],
  ["pro month", "starter month", "period_end"],
  ["pro month", "starter year", "period_end"],
  ["pro month", "pro year", "now"],
  ["pro year", "starter month", "period_end"],
  ["pro year", "starter year", "period_end"],
  ["pro year", "pro month", "period_end"],
])(
  "a change from %s to %s is at once only if neither plan nor period shrinks: %s",
  (from, to, timing) => {
    expect(changeTiming(choice(from), choice(to))).toBe(timing);
  },
);

test("a plan that left the catalog is changed at the period's end, since nobody knows which is smaller", () => {
  expect(changeTiming(choice("gone month"), choice("pro year"))).toBe("period_end");
  expect(changeTiming(choice("gone month"), choice("gone year"))).toBe("now");
});
