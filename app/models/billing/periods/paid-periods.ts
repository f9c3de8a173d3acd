import { addMonths } from "~/utils/add-months";

/**
 * A stretch of time that a subscription was paid for, or may try for free, and how far its months
 * have been granted. `upgrade` is the rest of a period, paid when a dearer plan begins inside it.
 */
export interface PaidPeriod {
  id: string;
  kind: "trial" | "paid" | "upgrade";
  startsAt: Date;
  endsAt: Date;
  planKey: string;
  /** Set once all of its payment was returned: it grants nothing more. */
  closedAt: Date | null;
  /** The first monthly boundary, as milliseconds after `startsAt`; null until something was granted. */
  anchorOffset: number | null;
  /** The end of the last lot, as milliseconds after `startsAt`; null until something was granted. */
  grantedFor: number | null;
}

/** The next step of a subscription's grants. */
export interface GrantCursor {
  /** The period that pays for the next boundary; null if none does. */
  periodId: string | null;
  /** The first monthly boundary of that period. Months are counted from it. */
  anchorAt: Date;
  /** The smallest count of months for which anchor + months is not before `nextGrantAt`. */
  monthsIssued: number;
  /** The next boundary, paid for or not. Before `anchorAt`, it is the start of an upgrade. */
  nextGrantAt: Date;
  /** Where the period ends, or the next one begins. A boundary from here on grants nothing. */
  paidUntil: Date;
}

interface Walk {
  period: PaidPeriod;
  anchorAt: Date;
  /** Everything before it was granted. */
  frontier: Date;
  effectiveEnd: Date;
}

/**
 * Finds the next monthly boundary among all periods of a subscription, given in the order in which
 * they were noted. Null if no period is open.
 *
 * Each open period is granted from its first boundary to its end, or to the start of an open period
 * that begins inside it. The first boundary is the period's start, or the end of the last lot of a
 * paid period that began earlier: no month is given twice. A trial's lot holds nothing back.
 */
export function findNextGrant(
  periods: readonly PaidPeriod[],
  creditsOf: (planKey: string) => number,
): GrantCursor | null {
  const walks = walkOpenPeriods(periods, creditsOf);
  const pending = walks
    .filter(({ frontier, effectiveEnd }) => frontier < effectiveEnd)
    .sort((a, b) => a.frontier.getTime() - b.frontier.getTime());
  const [first] = pending;
  if (first) return cursorAt(first, first.frontier, first.period.id);
  const last = walks.at(-1);
  return last ? cursorAt(last, last.effectiveEnd, null) : null;
}

function cursorAt(
  { anchorAt, effectiveEnd }: Walk,
  nextGrantAt: Date,
  periodId: string | null,
): GrantCursor {
  return {
    periodId,
    anchorAt,
    monthsIssued: countMonths(anchorAt, nextGrantAt),
    nextGrantAt,
    paidUntil: effectiveEnd,
  };
}

/** The open periods by their start. Of several with one start the longest is last, or else the newest. */
export function sortOpenPeriods<Period extends PaidPeriod>(periods: readonly Period[]): Period[] {
  return periods
    .filter(({ closedAt }) => closedAt === null)
    .sort(
      (a, b) =>
        a.startsAt.getTime() - b.startsAt.getTime() || a.endsAt.getTime() - b.endsAt.getTime(),
    );
}

function walkOpenPeriods(
  periods: readonly PaidPeriod[],
  creditsOf: (planKey: string) => number,
): Walk[] {
  const open = sortOpenPeriods(periods);
  return open.map((period, at) => {
    const earlier = open.slice(0, at);
    const later = open.slice(at + 1);
    const anchorAt = firstBoundary(period, earlier);
    return {
      period,
      anchorAt,
      frontier: frontierOf(period, { anchorAt, earlier, creditsOf }),
      effectiveEnd: earliest([period.endsAt, ...later.map(({ startsAt }) => startsAt)]),
    };
  });
}

function firstBoundary(period: PaidPeriod, earlier: PaidPeriod[]): Date {
  if (period.anchorOffset !== null) return after(period.startsAt, period.anchorOffset);
  const lotEnds = earlier
    .filter(({ kind }) => kind !== "trial")
    .flatMap((other) => grantedUntil(other) ?? []);
  return latest([period.startsAt, ...lotEnds]);
}

/**
 * Returns the time at which the period's grants go on: its last lot's end, an upgrade's start, or its
 * first boundary.
 */
function frontierOf(
  period: PaidPeriod,
  {
    anchorAt,
    earlier,
    creditsOf,
  }: { anchorAt: Date; earlier: PaidPeriod[]; creditsOf: (planKey: string) => number },
): Date {
  const granted = grantedUntil(period);
  if (granted) return granted;
  const running = earlier.findLast(
    (other) => grantedUntil(other)?.getTime() === anchorAt.getTime(),
  );
  const isUpgrade =
    running !== undefined &&
    anchorAt > period.startsAt &&
    creditsOf(period.planKey) > creditsOf(running.planKey);
  return isUpgrade ? period.startsAt : anchorAt;
}

/** Returns the end of the period's last lot; null if it has none. */
export function grantedUntil({ startsAt, grantedFor }: PaidPeriod): Date | null {
  return grantedFor === null ? null : after(startsAt, grantedFor);
}

/** The smallest count of months for which anchor + months is not before `at`. */
function countMonths(anchor: Date, at: Date): number {
  if (at <= anchor) return 0;
  const months =
    (at.getUTCFullYear() - anchor.getUTCFullYear()) * 12 + at.getUTCMonth() - anchor.getUTCMonth();
  return addMonths(anchor, months) < at ? months + 1 : months;
}

const after = (date: Date, milliseconds: number) => new Date(date.getTime() + milliseconds);
const earliest = (dates: Date[]) => new Date(Math.min(...dates.map(Number)));
const latest = (dates: Date[]) => new Date(Math.max(...dates.map(Number)));
