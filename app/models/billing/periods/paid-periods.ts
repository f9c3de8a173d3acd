import type { Period } from "~/catalog";
import type { Share } from "~/models/billing/shares/share";

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
  period: Period;
  /** Set while all of its payment is returned: it grants nothing more. */
  closedAt: Date | null;
  /** The first monthly boundary, as milliseconds after `startsAt`; null until something was granted. */
  anchorOffset: number | null;
  /** The end of the last month that it gave, as milliseconds after `startsAt`; null until something was granted. */
  grantedFor: number | null;
  /** Credits that it gave of that month, before returns; null if unknown. */
  grantedCredits: number | null;
  /** When it was paid; null if the provider didn't say. */
  paidAt: Date | null;
  /** Whether its invoice credits the unused time of the period in which it begins. */
  replacesEarlier: boolean;
  /** The share of its payment that is away now. */
  share: Share;
  /** The largest share that was ever away. */
  worstShare: Share;
}

/** Credits per month of a plan. */
export type CreditsOf = (planKey: string) => number;

/**
 * By their start. Of several with one start those that replace another come last, then the longest, then
 * the one paid last, then the one noted last.
 */
export function sortPeriods<Period extends PaidPeriod>(periods: readonly Period[]): Period[] {
  return periods.toSorted(
    (a, b) =>
      a.startsAt.getTime() - b.startsAt.getTime() ||
      Number(a.replacesEarlier) - Number(b.replacesEarlier) ||
      a.endsAt.getTime() - b.endsAt.getTime() ||
      Number(a.paidAt ?? 0) - Number(b.paidAt ?? 0),
  );
}

/** Whether the same time was paid for on the same plan. */
function isSameSale(a: PaidPeriod, b: PaidPeriod): boolean {
  return (
    b.kind === "paid" &&
    a.kind === "paid" &&
    a.startsAt.getTime() === b.startsAt.getTime() &&
    a.endsAt.getTime() === b.endsAt.getTime() &&
    a.planKey === b.planKey
  );
}

/** Whether both are upgrades to the same plan, for the rest of the same time. */
export function isSameUpgrade(a: PaidPeriod, b: PaidPeriod): boolean {
  return (
    a.kind === "upgrade" &&
    b.kind === "upgrade" &&
    a.endsAt.getTime() === b.endsAt.getTime() &&
    a.planKey === b.planKey
  );
}

/**
 * The payment that this one repeats: the one before it for the same time and plan, or for the same upgrade of the same
 * period, closed or not.
 */
export function findRepeated(
  sorted: readonly PaidPeriod[],
  period: PaidPeriod,
): PaidPeriod | undefined {
  const before = sorted.slice(0, sorted.indexOf(period));
  if (period.kind !== "upgrade") return before.findLast((other) => isSameSale(other, period));
  const upgrades = before.filter((other) => isSameUpgrade(other, period));
  if (upgrades.length === 0) return undefined;
  const base = findBase(sorted, period);
  return upgrades.findLast((other) => findBase(sorted, other) === base);
}

/**
 * The period in which an upgrade begins, closed or not: the last one before it that covers its start. The same upgrade,
 * paid before, is none.
 */
export function findBase(
  sorted: readonly PaidPeriod[],
  upgrade: PaidPeriod,
): PaidPeriod | undefined {
  const before = sorted.filter(
    (other) =>
      other.id !== upgrade.id &&
      other.kind !== "trial" &&
      !isSameUpgrade(other, upgrade) &&
      other.startsAt <= upgrade.startsAt &&
      other.endsAt > upgrade.startsAt &&
      sorted.indexOf(other) < sorted.indexOf(upgrade),
  );
  return before.findLast(({ closedAt }) => closedAt === null) ?? before.at(-1);
}

/**
 * The periods that count, given all of them in their order: open ones. A shorter one of the same or a
 * smaller plan inside a longer one counts only if its invoice credits the longer one's unused time. An
 * upgrade counts once the period is known in which it begins.
 */
export function listCounting(sorted: readonly PaidPeriod[], creditsOf: CreditsOf): PaidPeriod[] {
  const open = sorted.filter(({ closedAt }) => closedAt === null);
  const isInside = (inner: PaidPeriod, outer: PaidPeriod) =>
    outer !== inner &&
    outer.kind !== "trial" &&
    outer.startsAt <= inner.startsAt &&
    outer.endsAt > inner.endsAt &&
    creditsOf(outer.planKey) >= creditsOf(inner.planKey) &&
    !open.some((other) => replaces(other, outer) && other.startsAt <= inner.startsAt);
  return open.filter((period) => {
    if (period.kind === "upgrade") return findBase(sorted, period) !== undefined;
    if (period.kind === "trial" || period.replacesEarlier) return true;
    return !open.some((other) => isInside(period, other));
  });
}

/** Whether a payment credited the unused time of another one, which ends there. */
function replaces(later: PaidPeriod, earlier: PaidPeriod): boolean {
  return (
    later.replacesEarlier &&
    later.kind === "paid" &&
    later !== earlier &&
    later.startsAt >= earlier.startsAt &&
    later.startsAt < earlier.endsAt
  );
}

/** Returns the end of the last month that the period gave; null if it gave none. */
export function grantedUntil({ startsAt, grantedFor }: PaidPeriod): Date | null {
  return grantedFor === null ? null : after(startsAt, grantedFor);
}

/** The first monthly boundary of a period; its start until something was granted. */
export function anchorOf({ startsAt, anchorOffset }: PaidPeriod): Date {
  return after(startsAt, anchorOffset ?? 0);
}

/** Whether the last month that a period gave was one that others had granted, to which it added. */
export function hasOnlyAdded(period: PaidPeriod): boolean {
  const until = grantedUntil(period);
  return until !== null && until <= anchorOf(period);
}

/** The boundary from which the months of a period are counted: of one that only added to another's months, that one's. */
export function monthAnchor(sorted: readonly PaidPeriod[], period: PaidPeriod): Date {
  if (!hasOnlyAdded(period)) return anchorOf(period);
  const below = period.kind === "upgrade" ? findBase(sorted, period) : findRepeated(sorted, period);
  return below ? monthAnchor(sorted, below) : period.startsAt;
}

/** A moment so many milliseconds later. */
export function after(date: Date, milliseconds: number): Date {
  return new Date(date.getTime() + milliseconds);
}
