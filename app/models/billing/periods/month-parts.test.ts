import { expect, test } from "vitest";
import { partsOf } from "~/models/billing/periods/month-parts";
import { monthFrom } from "~/models/billing/periods/months";
import { type PaidPeriod, sortPeriods } from "~/models/billing/periods/paid-periods";
import { NONE, type Share, shareOf } from "~/models/billing/shares/share";

const creditsOf = (planKey: string) => ({ starter: 300, pro: 1200 })[planKey] ?? 0;
const START = new Date("2026-01-01T00:00:00Z");
const END = new Date("2027-01-01T00:00:00Z");
const MARCH = new Date("2026-03-01T00:00:00Z");
const [ALL, HALF] = [shareOf(1, 1), shareOf(1, 2)];

/** The shares of a payment that went back: now, and at worst. */
type Back = [now: Share, worst: Share];
const PAID: Back = [NONE, NONE];
const HALVED: Back = [HALF, HALF];
const GONE: Back = [ALL, ALL];
const WON: Back = [NONE, ALL];

function period(paidAt: string, [share, worstShare]: Back, more: Partial<PaidPeriod> = {}) {
  const at = new Date(`${paidAt}T00:00:00Z`);
  return {
    ...{ id: `${paidAt}${more.kind}`, kind: "paid", period: "year", planKey: "starter" },
    ...{ startsAt: START, endsAt: END, paidAt: at, share, worstShare, replacesEarlier: false },
    ...{ anchorOffset: null, grantedFor: null, grantedCredits: null },
    closedAt: share === ALL ? at : null,
    ...more,
  } as PaidPeriod;
}

const upgrade = (paidAt: string, back: Back) =>
  period(paidAt, back, {
    ...{ kind: "upgrade", planKey: "pro", startsAt: new Date(`${paidAt}T00:00:00Z`) },
  });

/** The credits of March, if its whole lot is granted by the last of the open periods. */
function march(periods: PaidPeriod[], from = MARCH): number {
  const sorted = sortPeriods(periods);
  const top = sorted.findLast(({ closedAt }) => closedAt === null);
  if (!top) return 0;
  const parts = partsOf(top, from, monthFrom(START, MARCH, END), { sorted, creditsOf });
  return parts.reduce((sum, { credits, withheld }) => sum + credits - withheld, 0);
}

/** The year's payments with what went back of each, and the credits of March. */
const CASES: [string, PaidPeriod[], number][] = [
  ["paid once", [period("2026-01-01", PAID)], 300],
  ["half refunded", [period("2026-01-01", HALVED)], 150],
  ["paid twice", [period("2026-01-01", PAID), period("2026-03-10", PAID)], 300],
  ["paid again after a half", [period("2026-01-01", HALVED), period("2026-03-10", PAID)], 300],
  ["paid again after all", [period("2026-01-01", GONE), period("2026-03-10", PAID)], 300],
  ["both halved", [period("2026-01-01", HALVED), period("2026-03-10", HALVED)], 225],
  ["the first one won", [period("2026-01-01", WON), period("2026-03-10", PAID)], 600],
  ["the second one gone", [period("2026-01-01", PAID), period("2026-03-10", GONE)], 300],
  ["paid again later", [period("2026-01-01", HALVED), period("2026-04-10", PAID)], 150],
  ["paid again before", [period("2026-01-01", HALVED), period("2026-02-10", PAID)], 300],
  [
    "the second of three gone",
    [period("2026-01-01", PAID), period("2026-03-10", GONE), period("2026-03-20", PAID)],
    300,
  ],
  [
    "the second of three gone, and half of the first",
    [period("2026-01-01", HALVED), period("2026-03-10", GONE), period("2026-03-20", PAID)],
    300,
  ],
];

test.each(CASES)("a month of what was %s", (_, periods, credits) => {
  expect(march(periods)).toBe(credits);
});

test.each(CASES)("a month of an upgrade of what was %s", (_, periods, credits) => {
  expect(march([...periods, upgrade("2026-01-20", PAID)])).toBe(credits + 900);
});

test.each(CASES)("a half month's lot of what was %s", (_, periods, credits) => {
  const middle = new Date("2026-03-16T12:00:00Z");
  expect(Math.abs(march(periods, middle) - credits / 2)).toBeLessThanOrEqual(1);
});

test.each([
  ["paid twice", PAID, PAID, 1200],
  ["paid again after a half", HALVED, PAID, 1200],
  ["paid again after all", GONE, PAID, 1200],
  ["paid twice, and the second one halved", PAID, HALVED, 750],
] as const)(
  "a later month of an upgrade that was %s is the second one's",
  (_, first, second, credits) => {
    const upgrades = [upgrade("2026-01-20", [...first]), upgrade("2026-02-10", [...second])];
    expect(march([period("2026-01-01", PAID), ...upgrades])).toBe(credits);
  },
);
