import { expect, test } from "vitest";
import { PLAN } from "#tests/fixtures/sold";
import { findChangeLock } from "~/models/billing/changes/lock";
import type { PlanStanding } from "~/services/payments/plan-changes";

const RUNNING: PlanStanding = {
  status: "active",
  cancelAtPeriodEnd: false,
  currentPeriodStart: new Date("2026-11-05T09:00:00Z"),
  currentPeriodEnd: new Date("2026-12-05T09:00:00Z"),
  plan: { planKey: PLAN.planKey, period: "month" },
  scheduled: null,
  open: null,
};
const lockOf = (more: Partial<PlanStanding>, isReturned = false) =>
  findChangeLock({ ...RUNNING, ...more }, isReturned);

test("an active plan can be changed, unless something else comes first", () => {
  expect(lockOf({})).toBeNull();
  expect(lockOf({ cancelAtPeriodEnd: true })).toBe("ending");
  expect(lockOf({ open: { payUrl: null, lapsesAt: null } })).toBe("open");
  const scheduled = {
    planKey: PLAN.planKey,
    period: "month",
    at: RUNNING.currentPeriodEnd,
  } as const;
  expect(lockOf({ scheduled })).toBe("scheduled");
});

test("money that goes back locks an active plan and its open payment; what is planned can still be dropped", () => {
  expect(lockOf({}, true)).toBe("returned");
  expect(lockOf({ open: { payUrl: null, lapsesAt: null } }, true)).toBe("returned");
  const scheduled = {
    planKey: PLAN.planKey,
    period: "month",
    at: RUNNING.currentPeriodEnd,
  } as const;
  expect(lockOf({ scheduled }, true)).toBe("scheduled");
  expect(lockOf({ cancelAtPeriodEnd: true }, true)).toBe("ending");
  expect(lockOf({ status: "past_due" }, true)).toBe("payment");
});

test("no other plan can be changed", () => {
  expect(lockOf({ status: "past_due" })).toBe("payment");
  expect(lockOf({ status: "unpaid" })).toBe("payment");
  expect(lockOf({ status: "paused" })).toBe("paused");
  expect(lockOf({ status: "trialing" })).toBe("trial");
  for (const status of ["incomplete", "expired", "canceled", "unknown"] as const)
    expect(lockOf({ status })).toBe("unconfirmed");
  expect(findChangeLock(null, false)).toBe("unconfirmed");
});
