import { wasPaidAgain, withheldOf } from "~/models/billing/periods/month-parts";
import {
  findBase,
  findRepeated,
  grantedUntil,
  hasOnlyAdded,
  sortPeriods,
} from "~/models/billing/periods/paid-periods";
import { monthlyCredits, type StoredPeriod } from "~/models/billing/periods/periods.server";

/** The work to be done for one payment's part of the running month. Amounts in credits. */
export interface Settlement {
  period: StoredPeriod;
  /** Credits to be taken back in all. */
  wanted: number;
  /** Whether all that comes back is taken, for good. */
  isTakenBack: boolean;
  /** To be taken now; negative: to be given back. */
  due: number;
  /** Ids of the periods with which this payment's part may be in one lot. */
  shared: string[];
  /** The end of the month's lot. */
  expiresAt: Date;
}

/**
 * Finds what the payments of the running months want back, take or give, from what they gave and from
 * the shares that are away. Includes months in which nothing is to be done now, so that a debt of a
 * month that is over ends.
 */
export function planSettlement(periods: readonly StoredPeriod[], now: Date): Settlement[] {
  const sorted = sortPeriods(periods);
  return sorted.flatMap((period) => {
    const expiresAt = grantedUntil(period);
    if (!expiresAt || (period.kind === "trial" && !period.isTakenBack)) return [];
    if (expiresAt <= now) return period.creditsShort > 0 ? [overSettlement(period, expiresAt)] : [];
    if (period.isTakenBack) return [wholeSettlement(period, { sorted, now, expiresAt })];
    const gave = period.grantedCredits ?? 0;
    const isAgain = wasPaidAgain(period, sorted);
    const wanted = withheldOf({ period, credits: gave, isAgain }, sorted);
    const whole = Math.max(gave, monthlyCredits(period.planKey));
    const held = gave - period.creditsReversed + sumOthers(period, sorted, now);
    const room = Math.max(0, whole - held);
    const due = Math.max(wanted - period.creditsReversed, -room);
    const shared = listShared(period, sorted);
    return [{ period, wanted, isTakenBack: false, due, shared, expiresAt }];
  });
}

/** A month whose subscription was ended at once: nothing of it is left, whatever is away of its payments. */
function wholeSettlement(
  period: StoredPeriod,
  { sorted, now, expiresAt }: { sorted: readonly StoredPeriod[]; now: Date; expiresAt: Date },
): Settlement {
  const wanted = period.grantedCredits ?? 0;
  const due = Math.max(0, wanted - period.creditsReversed);
  const running = sorted.filter((other) => (grantedUntil(other) ?? now) > now);
  const shared = running.flatMap(({ id }) => (id === period.id ? [] : [id]));
  return { period, wanted, isTakenBack: true, due, shared, expiresAt };
}

/** A month's debt ends with it. */
function overSettlement(period: StoredPeriod, expiresAt: Date): Settlement {
  const nothing = { wanted: period.creditsReversed, due: 0, shared: [] };
  return { period, ...nothing, isTakenBack: false, expiresAt };
}

const grantedFor = (period: StoredPeriod) => grantedUntil(period)?.getTime();

/** The credits that other payments gave of this time without sharing it, because it counted again meanwhile. */
function sumOthers(period: StoredPeriod, sorted: readonly StoredPeriod[], now: Date): number {
  return sorted
    .filter((other) => other.kind !== "trial" && other !== period)
    .filter((other) => Number(grantedUntil(other) ?? 0) > now.getTime())
    .filter((other) => !isOn(period, other, sorted) && !isOn(other, period, sorted))
    .map(({ grantedCredits, creditsReversed }) => (grantedCredits ?? 0) - creditsReversed)
    .reduce((total, credits) => total + credits, 0);
}

/** Whether a payment adds to another's months: it was made again, or it is an upgrade. */
function isOn(upper: StoredPeriod, lower: StoredPeriod, sorted: readonly StoredPeriod[]): boolean {
  const below = findRepeated(sorted, upper) ?? baseOf(upper, sorted);
  if (!below) return false;
  return below === lower || isOn(below as StoredPeriod, lower, sorted);
}

function baseOf(period: StoredPeriod, sorted: readonly StoredPeriod[]) {
  return period.kind === "upgrade" ? findBase(sorted, period) : undefined;
}

/** The lot of a whole month holds the parts of all its payments, and one that was added to a month its own. */
function listShared(period: StoredPeriod, sorted: readonly StoredPeriod[]): string[] {
  const isWholeOn = (upper: StoredPeriod, lower: StoredPeriod) =>
    !hasOnlyAdded(upper) && isOn(upper, lower, sorted);
  return sorted
    .filter((other) => other !== period && grantedFor(other) === grantedFor(period))
    .filter((other) => isWholeOn(other, period) || isWholeOn(period, other))
    .map(({ id }) => id);
}
