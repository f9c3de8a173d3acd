import { expect, test } from "vitest";
import { HAS_TWO_PLANS, PLAN, TOP_PLAN } from "#tests/fixtures/sold";
import { type ActionKey, CREDITS_PER_IMAGE, PLANS, type Plan } from "~/catalog";
import { nextStep } from "~/models/accounts/next-step";

const now = new Date("2026-11-22T12:00:00Z");
const account = {
  balance: 720,
  used: 100,
  hasHistory: true,
  expiring: null,
  plan: null,
  features: { action: "image" as ActionKey | null, payments: true },
  now,
} satisfies Parameters<typeof nextStep>[0];
const subscribed = {
  planKey: PLAN.planKey,
  period: "month",
  status: "active",
  isChangeable: true,
} as const;

test("an account in order is left alone", () => {
  expect(nextStep(account)).toBeNull();
  expect(nextStep({ ...account, plan: subscribed })).toBeNull();
});

test("a failed payment comes before everything else", () => {
  const plan = { ...subscribed, status: "past_due", isChangeable: false };
  expect(nextStep({ ...account, plan, balance: 0, used: 500 })).toEqual({ step: "payment" });
});

test("who can't pay for an image is offered credits by the balance alone", () => {
  expect(nextStep({ ...account, balance: CREDITS_PER_IMAGE - 1 })).toBeNull();
  expect(nextStep({ ...account, balance: CREDITS_PER_IMAGE - 1, plan: subscribed })).toBeNull();
  const features = { action: "image" as const, payments: false };
  expect(nextStep({ ...account, balance: CREDITS_PER_IMAGE - 1, features })).toBeNull();
});

test("the first image is suggested to those who made none", () => {
  expect(nextStep({ ...account, hasHistory: false })).toEqual({ step: "create", action: "image" });
  const features = { action: null, payments: true };
  expect(nextStep({ ...account, hasHistory: false, features })).toBeNull();
});

test.runIf(HAS_TWO_PLANS)(
  "a larger plan is suggested only where more was used than the plan brings",
  () => {
    const [{ planKey, creditsPerMonth: brought }, next] = PLANS as readonly Plan[] as [Plan, Plan];
    const used = brought + 1;
    expect(nextStep({ ...account, plan: subscribed, used })).toEqual({
      step: "upgrade",
      used,
      planKey,
      to: next.planKey,
      period: "month",
    });
    expect(nextStep({ ...account, plan: subscribed, used: brought })).toBeNull();
    expect(nextStep({ ...account, plan: { ...subscribed, isChangeable: false }, used })).toBeNull();
  },
);

test("nobody is told to leave the largest plan", () => {
  const plan = { ...subscribed, planKey: TOP_PLAN.planKey };
  expect(nextStep({ ...account, plan, used: 99_999 })).toBeNull();
});

test("credits that expire within a week are pointed out", () => {
  const soon = { amount: 120, at: new Date("2026-11-28T12:00:00Z") };
  const later = { amount: 120, at: new Date("2026-12-05T12:00:00Z") };
  expect(nextStep({ ...account, expiring: soon })).toEqual({
    step: "use",
    action: "image",
    ...soon,
  });
  expect(nextStep({ ...account, expiring: later })).toBeNull();
});
