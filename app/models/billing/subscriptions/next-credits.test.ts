import { expect, test } from "vitest";
import { PLAN, TOP_PLAN } from "#tests/fixtures/sold";
import { nextCredits, soonestCredits } from "~/models/billing/subscriptions/next-credits";

const NOW = new Date("2026-03-10T12:00:00Z");
const LATER = new Date("2026-03-31T12:00:00Z");
const YEAR_END = new Date("2027-01-31T12:00:00Z");

const YEARLY = {
  planKey: PLAN.planKey,
  scheduledPlanKey: null,
  status: "active",
  nextGrantAt: LATER,
  paidUntil: YEAR_END,
  cancelAtPeriodEnd: false,
} as const;

test("a paid boundary has a date and an amount, cancelled or not", () => {
  const scheduled = { status: "scheduled", amount: PLAN.creditsPerMonth, at: LATER };
  expect(nextCredits(YEARLY, NOW)).toEqual(scheduled);
  expect(nextCredits({ ...YEARLY, status: "trialing" }, NOW)).toEqual(scheduled);
  expect(nextCredits({ ...YEARLY, cancelAtPeriodEnd: true }, NOW)).toEqual(scheduled);
});

test("a past boundary that is paid is due", () => {
  expect(nextCredits(YEARLY, LATER)).toEqual({
    status: "due",
    amount: PLAN.creditsPerMonth,
    at: LATER,
  });
});

test("the boundary at the end of the paid period waits for the renewal, and never comes without one", () => {
  const monthly = { ...YEARLY, planKey: TOP_PLAN.planKey, paidUntil: LATER } as const;
  expect(nextCredits(monthly, NOW)).toEqual({
    status: "renewal",
    amount: TOP_PLAN.creditsPerMonth,
    at: LATER,
  });
  expect(nextCredits({ ...monthly, cancelAtPeriodEnd: true }, NOW)).toEqual({ status: "none" });
});

test("a renewal that brings a planned change brings the new plan's credits, months before it the old one's", () => {
  const planned = { ...YEARLY, planKey: TOP_PLAN.planKey, scheduledPlanKey: PLAN.planKey } as const;
  expect(nextCredits(planned, NOW)).toMatchObject({
    status: "scheduled",
    amount: TOP_PLAN.creditsPerMonth,
  });
  const last = { ...planned, paidUntil: LATER };
  expect(nextCredits(last, NOW)).toEqual({
    status: "renewal",
    amount: PLAN.creditsPerMonth,
    at: LATER,
  });
});

test("an inactive subscription waits for the event that would activate it", () => {
  const statusOf = (status: Parameters<typeof nextCredits>[0]["status"]) =>
    nextCredits({ ...YEARLY, status }, NOW).status;
  expect(statusOf("past_due")).toBe("payment");
  expect(statusOf("unpaid")).toBe("payment");
  expect(statusOf("paused")).toBe("resumption");
  expect(statusOf("incomplete")).toBe("confirmation");
  expect(statusOf("unknown")).toBe("confirmation");
  expect(statusOf("expired")).toBe("none");
  expect(statusOf("canceled")).toBe("none");
  expect(nextCredits({ ...YEARLY, nextGrantAt: null }, NOW).status).toBe("confirmation");
});

test("with several subscriptions the soonest date counts", () => {
  const sooner = new Date("2026-03-20T12:00:00Z");
  const list = [
    YEARLY,
    { ...YEARLY, nextGrantAt: sooner },
    { ...YEARLY, status: "paused" } as const,
  ];
  expect(soonestCredits(list, NOW)).toMatchObject({ at: sooner });
  expect(soonestCredits([], NOW)).toBeNull();
});
