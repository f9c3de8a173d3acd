import {
  findBase,
  findRepeated,
  grantedUntil,
  sortPeriods,
} from "~/models/billing/periods/paid-periods";
import { monthlyCredits, type StoredPeriod } from "~/models/billing/periods/periods.server";
import { portionOf } from "~/models/billing/shares/share";

/** The work to be done for one payment's part of the running month. Amounts in credits. */
export interface Settlement {
  period: StoredPeriod;
  /** Credits that the payment gave of the month, before returns. */
  gave: number;
  /** Credits to be taken back in all. */
  wanted: number;
  /** To be taken now; negative: to be given back. */
  due: number;
  /** Ids of the periods whose lots may hold this payment's part together with their own. */
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
    if (!expiresAt || period.kind === "trial") return [];
    if (expiresAt <= now) return period.creditsShort > 0 ? [overSettlement(period, expiresAt)] : [];
    const gave = gaveOf(period, sorted);
    const wanted = portionOf(gave, period.share);
    const reversed = period.creditsReversed + gave - (period.grantedCredits ?? 0);
    const whole = Math.max(gave, monthlyCredits(period.planKey));
    const room = Math.max(0, whole - (gave - reversed) - sumOthers(period, sorted, now));
    const due = Math.max(wanted - reversed, -room);
    const settlement = { period, gave, wanted, due, shared: listShared(period, sorted), expiresAt };
    return [settlement];
  });
}

/** A month's debt ends with it. */
function overSettlement(period: StoredPeriod, expiresAt: Date): Settlement {
  const { creditsReversed, grantedCredits } = period;
  const gave = grantedCredits ?? 0;
  return { period, gave, wanted: creditsReversed, due: 0, shared: [], expiresAt };
}

/** A payment for the same time once more gives what was missing at worst, which may have become more since. */
function gaveOf(period: StoredPeriod, sorted: readonly StoredPeriod[]): number {
  const gave = period.grantedCredits ?? 0;
  const repeated = findRepeated(sorted, period) as StoredPeriod | undefined;
  if (!repeated || grantedFor(repeated) !== grantedFor(period)) return gave;
  return Math.max(gave, portionOf(repeated.grantedCredits ?? 0, repeated.worstShare));
}

const grantedFor = (period: StoredPeriod) => grantedUntil(period)?.getTime();

/** What other payments gave of the time, which this one doesn't share with them: it counted again meanwhile. */
function sumOthers(period: StoredPeriod, sorted: readonly StoredPeriod[], now: Date): number {
  return sorted
    .filter((other) => other.kind !== "trial" && other !== period)
    .filter((other) => Number(grantedUntil(other) ?? 0) > now.getTime())
    .filter((other) => !isOn(period, other, sorted) && !isOn(other, period, sorted))
    .map(({ grantedCredits, creditsReversed }) => (grantedCredits ?? 0) - creditsReversed)
    .reduce((total, credits) => total + credits, 0);
}

/** Whether a payment adds to another's months: an upgrade, or one for the same time. */
function isOn(upper: StoredPeriod, lower: StoredPeriod, sorted: readonly StoredPeriod[]): boolean {
  const below = upper.kind === "upgrade" ? findBase(sorted, upper) : findRepeated(sorted, upper);
  if (!below) return false;
  return below === lower || isOn(below as StoredPeriod, lower, sorted);
}

function listShared(period: StoredPeriod, sorted: readonly StoredPeriod[]): string[] {
  return sorted
    .filter((other) => other !== period && isOn(other, period, sorted))
    .filter((other) => grantedFor(other) === grantedFor(period))
    .map(({ id }) => id);
}
