import { expect, test } from "vitest";
import { OTHER_CURRENCY, PLAN, TOP_PLAN } from "#tests/fixtures/sold";
import { CURRENCY } from "~/catalog";
import { isMoneyGoingBack, type RunningPeriod } from "~/models/billing/changes/money-back";

const PRICE = PLAN.amounts.year;
const YEAR: RunningPeriod = {
  kind: "paid",
  startsAt: new Date("2026-11-05T09:00:00Z"),
  endsAt: new Date("2027-11-05T09:00:00Z"),
  planKey: PLAN.planKey,
  period: "year",
  amount: PRICE,
  currency: CURRENCY,
  amountReturned: 0,
  closedAt: null,
};
const CLOSED = { ...YEAR, amountReturned: PRICE, closedAt: new Date("2026-11-20T09:00:00Z") };
const UPGRADE: RunningPeriod = {
  ...YEAR,
  kind: "upgrade",
  startsAt: new Date("2026-11-10T09:00:00Z"),
  planKey: TOP_PLAN.planKey,
  amount: TOP_PLAN.amounts.year - 1,
};

test("money is going back if the running period is closed or partly returned", () => {
  expect(isMoneyGoingBack([])).toBe(false);
  expect(isMoneyGoingBack([YEAR])).toBe(false);
  expect(isMoneyGoingBack([{ ...YEAR, amountReturned: 1 }])).toBe(true);
  expect(isMoneyGoingBack([{ ...YEAR, closedAt: CLOSED.closedAt }])).toBe(true);
});

test("an upgraded period needs both of its payments", () => {
  expect(isMoneyGoingBack([YEAR, UPGRADE])).toBe(false);
  expect(isMoneyGoingBack([CLOSED, UPGRADE])).toBe(true);
  expect(isMoneyGoingBack([YEAR, { ...UPGRADE, amountReturned: 1 }])).toBe(true);
  // Not even one that cost as much as the plan.
  expect(isMoneyGoingBack([CLOSED, { ...UPGRADE, amount: TOP_PLAN.amounts.year }])).toBe(true);
});

test("a period that was paid again in full counts instead, whichever of the two came first", () => {
  expect(isMoneyGoingBack([CLOSED, YEAR])).toBe(false);
  expect(isMoneyGoingBack([YEAR, CLOSED])).toBe(false);
  const later = { startsAt: new Date("2026-11-21T09:00:00Z") };
  const replaced = { ...YEAR, ...later, endsAt: new Date("2027-11-21T09:00:00Z") };
  expect(isMoneyGoingBack([CLOSED, replaced])).toBe(false);
});

test.each<[what: string, second: Partial<RunningPeriod>]>([
  ["was itself returned", { amountReturned: 1 }],
  ["ends earlier", { endsAt: new Date("2026-12-05T09:00:00Z") }],
  ["began earlier", { startsAt: new Date("2026-11-04T09:00:00Z") }],
  ["was paid less what the first one had left", { amount: PRICE - 1 }],
  ["was paid in another currency", { currency: OTHER_CURRENCY }],
  ["isn't known to be paid", { amount: null, currency: null }],
  ["has a plan that left the catalog", { planKey: "gone" }],
])("a second period that %s doesn't count instead", (_, second) => {
  expect(isMoneyGoingBack([CLOSED, { ...YEAR, ...second }])).toBe(true);
});
