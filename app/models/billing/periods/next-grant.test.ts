import fc from "fast-check";
import { expect, test } from "vitest";
import { findNextGrant } from "~/models/billing/periods/next-grant";
import type { PaidPeriod } from "~/models/billing/periods/paid-periods";
import { NONE } from "~/models/billing/shares/share";
import { addMonths } from "~/utils/add-months";

const DAY = 24 * 60 * 60 * 1000;
const CREDITS: Record<string, number> = { starter: 300, pro: 1200 };
const creditsOf = (planKey: string) => CREDITS[planKey] ?? 0;
const at = (text: string) => new Date(`${text}T00:00:00.000Z`);

const NOTHING_RETURNED = {
  ...{ period: "month" as const, grantedCredits: null, paidAt: null, replacesEarlier: true },
  ...{ share: NONE, worstShare: NONE },
};

function period(start: string, end: string, more: Partial<PaidPeriod> = {}): PaidPeriod {
  return {
    id: `${start}…${end}`,
    kind: "paid",
    startsAt: at(start),
    endsAt: at(end),
    planKey: "starter",
    closedAt: null,
    anchorOffset: null,
    grantedFor: null,
    ...NOTHING_RETURNED,
    ...more,
  };
}

/** The same period with its months granted up to a day. */
function granted(of: PaidPeriod, until: string, from = of.startsAt): PaidPeriod {
  return {
    ...of,
    anchorOffset: from.getTime() - of.startsAt.getTime(),
    grantedFor: at(until).getTime() - of.startsAt.getTime(),
  };
}

const next = (...periods: PaidPeriod[]) => findNextGrant(periods, creditsOf);

test("nothing paid, nothing granted", () => {
  expect(next()).toBeNull();
  expect(next(period("2026-01-01", "2026-02-01", { closedAt: at("2026-01-05") }))).toBeNull();
});

test("a period's first boundary is its start, and the next one a month later", () => {
  const year = period("2026-01-31", "2027-01-31");
  expect(next(year)).toMatchObject({ nextGrantAt: at("2026-01-31"), paidUntil: at("2027-01-31") });
  expect(next(granted(year, "2026-02-28"))).toMatchObject({
    nextGrantAt: at("2026-02-28"),
    anchorAt: at("2026-01-31"),
    monthsIssued: 1,
  });
});

test("a period that was granted whole waits at its end for the next one", () => {
  const month = granted(period("2026-01-05", "2026-02-05"), "2026-02-05");
  expect(next(month)).toMatchObject({
    periodId: null,
    anchorAt: at("2026-01-05"),
    monthsIssued: 1,
    nextGrantAt: at("2026-02-05"),
    paidUntil: at("2026-02-05"),
  });
});

test("a change of interval gives no month twice: the new grid begins where the running lot ends", () => {
  const month = granted(period("2026-01-01", "2026-02-01"), "2026-02-01");
  const year = period("2026-01-10", "2027-01-10");
  expect(next(month, year)).toMatchObject({ periodId: year.id, nextGrantAt: at("2026-02-01") });
});

test("a trial's lot holds nothing back: who pays early has the paid month at once", () => {
  const trial = granted(period("2026-01-01", "2026-01-15", { kind: "trial" }), "2026-01-15");
  const paid = period("2026-01-03", "2026-02-03");
  expect(next(trial, paid)).toMatchObject({ periodId: paid.id, nextGrantAt: at("2026-01-03") });
});

test("an upgrade counts from its payment, and its months from where the running lot ends", () => {
  const month = granted(period("2026-11-05", "2026-12-05"), "2026-12-05");
  const upgrade = period("2026-11-21", "2027-11-21", { planKey: "pro" });
  expect(next(month, upgrade)).toMatchObject({
    periodId: upgrade.id,
    anchorAt: at("2026-12-05"),
    monthsIssued: 0,
    nextGrantAt: at("2026-11-21"),
    paidUntil: at("2027-11-21"),
  });
  const given = granted(upgrade, "2026-12-05", at("2026-12-05"));
  expect(next(month, given)).toMatchObject({ nextGrantAt: at("2026-12-05"), monthsIssued: 0 });
  // The same plan by the year gives nothing that day.
  expect(next(month, { ...upgrade, planKey: "starter" })).toMatchObject({
    nextGrantAt: at("2026-12-05"),
  });
});

test("an invoice that comes late fills its own place, and later periods stay as they are", () => {
  const january = granted(period("2026-01-01", "2026-02-01"), "2026-02-01");
  const march = granted(period("2026-03-01", "2026-04-01"), "2026-04-01");
  const february = period("2026-02-01", "2026-03-01");
  expect(next(january, march)).toMatchObject({ periodId: null, nextGrantAt: at("2026-04-01") });
  expect(next(january, march, february)).toMatchObject({
    periodId: february.id,
    nextGrantAt: at("2026-02-01"),
    paidUntil: at("2026-03-01"),
  });
  expect(next(january, march, granted(february, "2026-03-01"))).toMatchObject({
    nextGrantAt: at("2026-04-01"),
  });
});

test("the closed period's predecessor counts again", () => {
  const year = granted(period("2026-01-01", "2027-01-01"), "2026-03-01");
  const upgrade = period("2026-02-10", "2027-01-01", { kind: "upgrade", planKey: "pro" });
  expect(next(year, upgrade)).toMatchObject({ periodId: upgrade.id });
  expect(next(year, { ...upgrade, closedAt: at("2026-02-12") })).toMatchObject({
    periodId: year.id,
    nextGrantAt: at("2026-03-01"),
    paidUntil: at("2027-01-01"),
  });
});

/** Grants everything, as the daily job would, and returns the lots of each period. */
function grantAll(periods: PaidPeriod[]): { id: string; from: Date; to: Date }[] {
  const lots: { id: string; from: Date; to: Date }[] = [];
  for (let cursor = findNextGrant(periods, creditsOf); cursor?.periodId; ) {
    const { periodId, anchorAt, monthsIssued, nextGrantAt: from, paidUntil } = cursor;
    const k = addMonths(anchorAt, monthsIssued) > from ? monthsIssued : monthsIssued + 1;
    const boundary = addMonths(anchorAt, k);
    const to = boundary < paidUntil ? boundary : paidUntil;
    lots.push({ id: periodId, from, to });
    const paid = periods.find(({ id }) => id === periodId);
    if (!paid) throw new Error("a cursor names no period");
    paid.anchorOffset = anchorAt.getTime() - paid.startsAt.getTime();
    paid.grantedFor = to.getTime() - paid.startsAt.getTime();
    cursor = findNextGrant(periods, creditsOf);
  }
  return lots;
}

test("whatever periods are noted, in whatever order: every lot lies in its period and none overlap but an upgrade's", () => {
  const periods = fc.array(
    fc.record({
      startDay: fc.integer({ min: 0, max: 400 }),
      days: fc.integer({ min: 1, max: 366 }),
      kind: fc.constantFrom("trial" as const, "paid" as const),
      planKey: fc.constantFrom("starter", "pro"),
    }),
    { minLength: 1, maxLength: 6 },
  );
  fc.assert(
    fc.property(periods, (given) => {
      const noted: PaidPeriod[] = [];
      for (const [index, { startDay, days, kind, planKey }] of given.entries()) {
        const startsAt = new Date(at("2026-01-01").getTime() + startDay * DAY);
        noted.push({
          id: String(index),
          kind,
          planKey,
          startsAt,
          endsAt: new Date(startsAt.getTime() + days * DAY),
          closedAt: null,
          anchorOffset: null,
          grantedFor: null,
          ...NOTHING_RETURNED,
        });
        for (const { id, from, to } of grantAll(noted)) {
          const { startsAt, endsAt } = noted[Number(id)] as PaidPeriod;
          expect(from >= startsAt && to <= endsAt && from < to).toBe(true);
        }
      }
    }),
    { numRuns: 500 },
  );
});
