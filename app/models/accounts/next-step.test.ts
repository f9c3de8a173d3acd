import { expect, test } from "vitest";
import { PLANS } from "~/catalog";
import { nextStep } from "~/models/accounts/next-step";

const now = new Date("2026-11-22T12:00:00Z");
const account = {
  balance: 720,
  used: 100,
  hasHistory: true,
  expiring: null,
  plan: null,
  features: { images: true, payments: true },
  now,
} satisfies Parameters<typeof nextStep>[0];
const starter = {
  planKey: "starter",
  period: "month",
  status: "active",
  isChangeable: true,
} as const;

test("an account in order is left alone", () => {
  expect(nextStep(account)).toBeNull();
  expect(nextStep({ ...account, plan: starter })).toBeNull();
});

test("a failed payment comes before everything else", () => {
  const plan = { ...starter, status: "past_due", isChangeable: false };
  expect(nextStep({ ...account, plan, balance: 0, used: 500 })).toEqual({ step: "payment" });
});

test("credits are offered to those who can't pay for an image and have no plan", () => {
  expect(nextStep({ ...account, balance: 9 })).toEqual({ step: "buy" });
  expect(nextStep({ ...account, balance: 9, plan: starter })).toBeNull();
  const features = { images: true, payments: false };
  expect(nextStep({ ...account, balance: 9, features })).toBeNull();
});

test("the first image is suggested to those who made none", () => {
  expect(nextStep({ ...account, hasHistory: false })).toEqual({ step: "create" });
  const features = { images: false, payments: true };
  expect(nextStep({ ...account, hasHistory: false, features })).toBeNull();
});

test("a larger plan is suggested only where more was used than the plan brings", () => {
  const largest = PLANS.at(-1)?.planKey ?? "pro";
  const upgrade = { step: "upgrade", used: 301, planKey: "starter", to: "pro", period: "month" };
  expect(nextStep({ ...account, plan: starter, used: 301 })).toEqual(upgrade);
  expect(nextStep({ ...account, plan: starter, used: 300 })).toBeNull();
  expect(nextStep({ ...account, plan: { ...starter, isChangeable: false }, used: 301 })).toBeNull();
  expect(nextStep({ ...account, plan: { ...starter, planKey: largest }, used: 99_999 })).toBeNull();
});

test("credits that expire within a week are pointed out", () => {
  const soon = { amount: 120, at: new Date("2026-11-28T12:00:00Z") };
  const later = { amount: 120, at: new Date("2026-12-05T12:00:00Z") };
  expect(nextStep({ ...account, expiring: soon })).toEqual({ step: "use", ...soon });
  expect(nextStep({ ...account, expiring: later })).toBeNull();
});
