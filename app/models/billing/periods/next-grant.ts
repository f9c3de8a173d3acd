import { type AddedMonth, findAddedMonth } from "~/models/billing/periods/added-month";
import { addedPart, type Known, type Part, partsOf } from "~/models/billing/periods/month-parts";
import { boundaryFrom, countMonths, monthFrom } from "~/models/billing/periods/months";
import {
  after,
  anchorOf,
  type CreditsOf,
  findBase,
  findRepeated,
  grantedUntil,
  isSameUpgrade,
  listCounting,
  type PaidPeriod,
  sortPeriods,
} from "~/models/billing/periods/paid-periods";

/** The next step of a subscription's grants. */
export interface GrantCursor {
  /** The period that pays for the next boundary; null if none does. */
  periodId: string | null;
  /** The first monthly boundary of that period. Months are counted from it. */
  anchorAt: Date;
  /** The smallest count of months for which anchor + months is not before `nextGrantAt`. */
  monthsIssued: number;
  /** The next boundary, paid for or not. Before `anchorAt`, it is the start of a difference. */
  nextGrantAt: Date;
  /** Where the period's months end. A boundary from here on grants nothing. */
  paidUntil: Date;
}

/** A month to be granted, or the rest of one that another payment began. */
export interface NextGrant extends GrantCursor {
  /** Null if nothing is paid for. */
  lot: {
    period: PaidPeriod;
    /** The boundary of the month, which names the lot. */
    boundary: Date;
    endsAt: Date;
    /** Whether it adds a dearer plan's difference to a month that was granted. */
    isUpgrade: boolean;
    parts: Part[];
  } | null;
}

interface Walk {
  period: PaidPeriod;
  anchorAt: Date;
  /** Everything before it was granted. */
  frontier: Date;
  end: Date;
  /** Where the next lot ends at the latest. */
  lotUntil: Date;
  /** The next lot, if it adds to a month that an earlier payment granted; null if the next month is whole. */
  added: AddedMonth | null;
}

/**
 * Finds the next monthly grant among all periods of a subscription, given in the order in which they
 * were noted. Null if no period counts.
 *
 * Each period is granted from its first boundary to its end. One that begins inside it ends it with the
 * month that is running then. The first boundary is the period's start, or the end of the last month
 * that an earlier one gave: no month is given twice. A trial's lot holds nothing back. In a month that
 * an earlier payment granted, a later one gives only what it adds: a dearer plan's difference, or what
 * was missing when the same time was paid again.
 */
export function findNextGrant(
  periods: readonly PaidPeriod[],
  creditsOf: CreditsOf,
): NextGrant | null {
  const sorted = sortPeriods(periods);
  const counting = listCounting(sorted, creditsOf);
  const walks = counting.map((period) => walk(period, { sorted, counting, creditsOf }));
  const [first] = walks
    .filter(({ frontier, end }) => frontier < end)
    .sort((a, b) => a.frontier.getTime() - b.frontier.getTime());
  if (first) {
    const lot = lotOf(first, { sorted, creditsOf });
    return { ...cursorAt(first, first.frontier), periodId: first.period.id, lot };
  }
  const last = walks.at(-1);
  return last ? { ...cursorAt(last, last.end), periodId: null, lot: null } : null;
}

function cursorAt({ anchorAt, end }: Walk, nextGrantAt: Date) {
  const monthsIssued = countMonths(anchorAt, nextGrantAt);
  return { anchorAt, monthsIssued, nextGrantAt, paidUntil: end };
}

function walk(period: PaidPeriod, known: Known & { counting: readonly PaidPeriod[] }): Walk {
  const { counting, sorted } = known;
  const at = counting.indexOf(period);
  // Months that an earlier one gave before it stopped to count hold this one back, too.
  const before = sorted.slice(0, sorted.indexOf(period));
  const below = period.kind === "upgrade" ? findBase(sorted, period) : findRepeated(sorted, period);
  const earlier = [
    ...(below?.closedAt ? [below] : []),
    // An upgrade paid again counts from the plan that both upgrade.
    ...before.filter((other) => other.closedAt === null && !isSameUpgrade(other, period)),
  ];
  const lotEnds = earlier
    .filter(({ kind }) => kind !== "trial")
    .flatMap((other) => grantedUntil(other) ?? []);
  const covered = latest([period.startsAt, ...boundaryOfClosed(period, below), ...lotEnds]);
  const granted = grantedUntil(period);
  const own = period.anchorOffset === null ? null : after(period.startsAt, period.anchorOffset);
  const from = granted ?? period.startsAt;
  const anchorAt = own && covered <= from ? own : latest([covered, own ?? covered]);
  const end = endOf(period, anchorAt, counting.slice(at + 1));
  const added =
    from < anchorAt
      ? findAddedMonth(period, { from, covered: anchorAt, earlier, end }, known)
      : null;
  const open = passGranted(latest([from, anchorAt]), end, grantedInside(period, known));
  const frontier = added ? added.from : open.frontier;
  return { period, anchorAt, frontier, end, lotUntil: open.until, added };
}

/** An upgrade keeps the boundaries of its base, also of one that closed before this month was granted. */
function boundaryOfClosed(upgrade: PaidPeriod, base: PaidPeriod | undefined): Date[] {
  if (upgrade.kind !== "upgrade" || !base?.closedAt) return [];
  return [boundaryFrom(anchorOf(base), upgrade.startsAt, upgrade.endsAt)];
}

interface Stretch {
  from: Date;
  to: Date;
}

/** Months granted of later periods that don't count: they were told of before the one that holds them. */
function grantedInside(
  period: PaidPeriod,
  { sorted, counting }: { sorted: readonly PaidPeriod[]; counting: readonly PaidPeriod[] },
): Stretch[] {
  return sorted.slice(sorted.indexOf(period) + 1).flatMap((other) => {
    const to = grantedUntil(other);
    const isOut = other.closedAt !== null || other.kind === "trial" || counting.includes(other);
    if (!to || isOut) return [];
    return [{ from: anchorOf(other), to }];
  });
}

/** The first moment from `at` on that no stretch holds, and where the next stretch or the end is. */
function passGranted(at: Date, end: Date, stretches: Stretch[]): { frontier: Date; until: Date } {
  const holding = stretches.find(({ from, to }) => from <= at && at < to);
  if (holding) return passGranted(holding.to, end, stretches);
  const next = stretches.map(({ from }) => from).filter((from) => from > at);
  return { frontier: at, until: earliest([end, ...next]) };
}

/**
 * Where a period's months end: with the period, or with the month in which a later one begins, or where
 * the months begin that a later one has granted.
 */
function endOf(period: PaidPeriod, anchorAt: Date, later: readonly PaidPeriod[]): Date {
  const inside = later.filter(({ startsAt }) => startsAt < period.endsAt);
  const [next] = inside;
  if (!next) return period.endsAt;
  if (period.kind === "trial") return next.startsAt;
  const granted = inside.flatMap(({ startsAt, anchorOffset }) =>
    anchorOffset === null ? [] : after(startsAt, anchorOffset),
  );
  return earliest([...granted, boundaryFrom(anchorAt, next.startsAt, period.endsAt)]);
}

function lotOf(
  { period, anchorAt, frontier, lotUntil, added }: Walk,
  known: Known,
): NonNullable<NextGrant["lot"]> {
  if (added) {
    const { month, endsAt, credits, isUpgrade } = added;
    const parts = [addedPart(period, credits, known)];
    return { period, boundary: month.startsAt, endsAt, isUpgrade, parts };
  }
  const month = monthFrom(anchorAt, frontier, lotUntil);
  const parts = partsOf(period, frontier, month, known);
  return { period, boundary: frontier, endsAt: month.endsAt, isUpgrade: false, parts };
}

const earliest = (dates: Date[]) => new Date(Math.min(...dates.map(Number)));
const latest = (dates: Date[]) => new Date(Math.max(...dates.map(Number)));
