import { expect, test } from "vitest";
import { PLAN, TOP_PLAN } from "#tests/fixtures/sold";
import { estimateChange } from "~/services/payments/estimate-change";

const november = {
  from: { planKey: PLAN.planKey, period: "month" },
  currentPeriodStart: new Date("2026-11-05T09:00:00Z"),
  currentPeriodEnd: new Date("2026-12-05T09:00:00Z"),
  at: new Date("2026-11-21T09:00:00Z"),
} as const;
/** The rest of a price at 14 of the 30 days. */
const left = (amount: number) => Math.round((amount * 14) / 30);

test("a dearer plan costs the difference for the rest of the period, which goes on", () => {
  expect(
    estimateChange({ ...november, to: { planKey: TOP_PLAN.planKey, period: "month" } }),
  ).toMatchObject({
    isExact: false,
    amountDue: left(TOP_PLAN.amounts.month) - left(PLAN.amounts.month),
    lines: [
      { kind: "new", amount: left(TOP_PLAN.amounts.month) },
      { kind: "unused", amount: -left(PLAN.amounts.month) },
    ],
    endsAt: november.currentPeriodEnd,
  });
});

test("a longer interval costs its whole price less what is left, and begins at once", () => {
  expect(
    estimateChange({ ...november, to: { planKey: TOP_PLAN.planKey, period: "year" } }),
  ).toMatchObject({
    amountDue: TOP_PLAN.amounts.year - left(PLAN.amounts.month),
    startsAt: november.at,
    endsAt: new Date("2027-11-21T09:00:00Z"),
  });
});
