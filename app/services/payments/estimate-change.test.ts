import { expect, test } from "vitest";
import { estimateChange } from "~/services/payments/estimate-change";

const november = {
  from: { planKey: "starter", period: "month" },
  currentPeriodStart: new Date("2026-11-05T09:00:00Z"),
  currentPeriodEnd: new Date("2026-12-05T09:00:00Z"),
  at: new Date("2026-11-21T09:00:00Z"),
} as const;

test("a dearer plan costs the difference for the rest of the period, which goes on", () => {
  expect(estimateChange({ ...november, to: { planKey: "pro", period: "month" } })).toMatchObject({
    isExact: false,
    amountDue: 933,
    lines: [
      { kind: "new", amount: 1353 },
      { kind: "unused", amount: -420 },
    ],
    endsAt: november.currentPeriodEnd,
  });
});

test("a longer interval costs its whole price less what is left, and begins at once", () => {
  expect(estimateChange({ ...november, to: { planKey: "pro", period: "year" } })).toMatchObject({
    amountDue: 28_580,
    startsAt: november.at,
    endsAt: new Date("2027-11-21T09:00:00Z"),
  });
});
