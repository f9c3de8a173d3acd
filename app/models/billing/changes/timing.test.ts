import { expect, test } from "vitest";
import { HAS_TWO_PLANS, PLAN, TOP_PLAN } from "#tests/fixtures/sold";
import type { Period } from "~/catalog";
import { changeTiming } from "~/models/billing/changes/timing";

const KEYS: Record<string, string> = { smaller: PLAN.planKey, larger: TOP_PLAN.planKey };
const choice = (text: string) => {
  const [plan = "", period] = text.split(" ");
  return { planKey: KEYS[plan] ?? plan, period: period as Period };
};

/** Without a second plan only the interval can change. */
const isPossible = ([from, to]: string[]) => HAS_TWO_PLANS || !`${from} ${to}`.includes("larger");

const CHANGES = [
  ["smaller month", "smaller month", "same"],
  ["smaller month", "smaller year", "now"],
  ["smaller month", "larger month", "now"],
  ["smaller month", "larger year", "now"],
  ["smaller year", "smaller month", "period_end"],
  ["smaller year", "larger month", "period_end"],
  ["smaller year", "larger year", "now"],
  ["larger month", "smaller month", "period_end"],
  ["larger month", "smaller year", "period_end"],
  ["larger month", "larger year", "now"],
  ["larger year", "smaller month", "period_end"],
  ["larger year", "smaller year", "period_end"],
  ["larger year", "larger month", "period_end"],
];

test.each(CHANGES.filter(isPossible))(
  "a change from %s to %s is at once only if neither plan nor period shrinks: %s",
  (from, to, timing) => {
    expect(changeTiming(choice(from), choice(to))).toBe(timing);
  },
);

test("a plan that left the catalog is changed at the period's end, since nobody knows which is smaller", () => {
  expect(changeTiming(choice("gone month"), choice("larger year"))).toBe("period_end");
  expect(changeTiming(choice("gone month"), choice("gone year"))).toBe("now");
});
