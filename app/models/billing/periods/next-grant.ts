import {
  boundaryFrom,
  countMonths,
  creditsFrom,
  type Month,
  monthAround,
  monthFrom,
} from "~/models/billing/periods/months";
import {
  type CreditsOf,
  findBase,
  findRepeated,
  grantedUntil,
  listCounting,
  type PaidPeriod,
  sortPeriods,
} from "~/models/billing/periods/paid-periods";
import { portionOf } from "~/models/billing/shares/share";

/** One payment's part of a month. */
export interface Part {
  period: PaidPeriod;
  /** Credits, before returns. */
  credits: number;
}

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
  added: { month: Month; endsAt: Date; credits: number; isUpgrade: boolean } | null;
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

interface Known {
  sorted: readonly PaidPeriod[];
  creditsOf: CreditsOf;
}

function walk(period: PaidPeriod, known: Known & { counting: readonly PaidPeriod[] }): Walk {
  const { counting, sorted } = known;
  const at = counting.indexOf(period);
  const repeated = findRepeated(sorted, period);
  // Months that an earlier one gave before it stopped to count hold this one back, too.
  const before = sorted.slice(0, sorted.indexOf(period));
  const below = period.kind === "upgrade" ? findBase(sorted, period) : repeated;
  const earlier = [
    ...(below?.closedAt ? [below] : []),
    ...before.filter(({ closedAt }) => closedAt === null),
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
    from < anchorAt ? addedTo(period, { from, covered: anchorAt, earlier, end }, known) : null;
  const open = passGranted(latest([from, anchorAt]), end, grantedInside(period, known));
  const frontier = added ? added.from : open.frontier;
  return { period, anchorAt, frontier, end, lotUntil: open.until, added };
}

/** An upgrade keeps the boundaries of its base, also of one that closed before this month was granted. */
function boundaryOfClosed(upgrade: PaidPeriod, base: PaidPeriod | undefined): Date[] {
  if (upgrade.kind !== "upgrade" || !base?.closedAt) return [];
  return [boundaryFrom(anchorOf(base), upgrade.startsAt, upgrade.endsAt)];
}

const anchorOf = ({ startsAt, anchorOffset }: PaidPeriod) => after(startsAt, anchorOffset ?? 0);

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

/** The credits that a payment adds to the month that an earlier one granted; null if it adds none. */
function addedTo(
  period: PaidPeriod,
  {
    from,
    covered,
    earlier,
    end,
  }: { from: Date; covered: Date; earlier: readonly PaidPeriod[]; end: Date },
  known: Known,
): (NonNullable<Walk["added"]> & { from: Date }) | null {
  const running =
    earlier.findLast((other) => Number(grantedUntil(other)) === covered.getTime()) ??
    (period.kind === "upgrade" ? findBase(known.sorted, period) : undefined);
  if (!running) return null;
  const anchor = anchorOf(running);
  if (running === findRepeated(known.sorted, period)) {
    const month = monthAround(anchor, latest([period.paidAt ?? from, from]), covered);
    const worth = running.grantedCredits ?? 0;
    const credits = portionOf(worth, running.worstShare);
    const isOther = month.endsAt < covered || month.startsAt >= covered || month.endsAt <= from;
    if (credits === 0 || isOther) return null;
    return { from: month.startsAt, month, endsAt: month.endsAt, credits, isUpgrade: false };
  }
  const month = monthAround(anchor, from, covered);
  const isRunning = month.endsAt.getTime() === covered.getTime();
  const given = isRunning ? mostGiven(earlier, covered) : 0;
  const { creditsOf } = known;
  const difference = creditsOf(period.planKey) - Math.max(creditsOf(running.planKey), given);
  if (difference <= 0) return null;
  const endsAt = earliest([month.endsAt, end]);
  const credits = creditsFrom(from, { ...month, endsAt }, difference);
  return { from, month, endsAt, credits, isUpgrade: true };
}

/**
 * The most that one payment gave of the month that ends at `covered`: more than its plan's month if a dearer plan was
 * heard of before its payment. Returns don't count: what they take of a part comes back to it.
 */
function mostGiven(earlier: readonly PaidPeriod[], covered: Date): number {
  const given = earlier
    .filter((other) => other.kind !== "trial" && Number(grantedUntil(other)) === covered.getTime())
    .map(({ grantedCredits }) => grantedCredits ?? 0);
  return Math.max(0, ...given);
}

function lotOf(
  { period, anchorAt, frontier, lotUntil, added }: Walk,
  known: Known,
): NonNullable<NextGrant["lot"]> {
  if (added) {
    const { month, endsAt, credits, isUpgrade } = added;
    return { period, boundary: month.startsAt, endsAt, isUpgrade, parts: [{ period, credits }] };
  }
  const month = monthFrom(anchorAt, frontier, lotUntil);
  const parts = scaleParts(partsOf(period, month, known), (credits) =>
    creditsFrom(frontier, month, credits),
  );
  return { period, boundary: frontier, endsAt: month.endsAt, isUpgrade: false, parts };
}

/** Scales the sum of the parts, so that rounding each adds nothing. */
function scaleParts(parts: Part[], scale: (credits: number) => number): Part[] {
  let before = 0;
  return parts.map(({ period, credits }) => {
    const scaled = scale(before + credits) - scale(before);
    before += credits;
    return { period, credits: scaled };
  });
}

/** At most so many credits together: of a plan that was made smaller, the earlier payments give no more than its month. */
function capParts(parts: Part[], most: number): Part[] {
  let left = most;
  return parts.map(({ period, credits }) => {
    const capped = Math.min(credits, left);
    left -= capped;
    return { period, credits: capped };
  });
}

/** Each payment's part of a whole month of this period. */
function partsOf(period: PaidPeriod, month: Month, known: Known): Part[] {
  const { sorted, creditsOf } = known;
  const worth = creditsOf(period.planKey);
  const base = period.kind === "upgrade" ? findBase(sorted, period) : undefined;
  if (base) {
    const parts = capParts(partsOf(base, month, known), worth);
    const rest = worth - sum(parts.map(({ credits }) => credits));
    return [...parts, { period, credits: rest }];
  }
  const repeated = findRepeated(sorted, period);
  if (!repeated || !period.paidAt || period.paidAt < month.startsAt)
    return [{ period, credits: worth }];
  const parts = partsOf(repeated, month, known);
  const isOpen = repeated.closedAt === null;
  if (period.paidAt >= month.endsAt) return isOpen ? parts : [{ period, credits: worth }];
  const missing = portionOf(parts.at(-1)?.credits ?? 0, repeated.worstShare);
  return [...(isOpen ? parts : []), { period, credits: missing }];
}

const after = (date: Date, milliseconds: number) => new Date(date.getTime() + milliseconds);
const earliest = (dates: Date[]) => new Date(Math.min(...dates.map(Number)));
const latest = (dates: Date[]) => new Date(Math.max(...dates.map(Number)));
const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0);
