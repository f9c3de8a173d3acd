import { addMonths } from "~/utils/add-months";

const DAY = 24 * 60 * 60 * 1000;
/** Providers bill on the 28th what began on the 31st: a boundary this close to an end is none. */
const FEWEST_DAYS_BEFORE_END = 4;
/** A lot at least this long has the whole month's credits. */
const WHOLE_DAYS = 27;

/** A month of a period, and the lot for it. */
export interface Month {
  /** The boundary at which it begins. */
  startsAt: Date;
  /** The next boundary, by which the month's length is counted. */
  nextAt: Date;
  /** Where its lot ends: at the next boundary, or with the period. */
  endsAt: Date;
}

/**
 * The month whose lot begins at `at`, in a period that ends at `until`. A boundary less than four days
 * after `at` is where it begins: the one before was cut short by that much.
 */
export function monthFrom(anchor: Date, at: Date, until: Date): Month {
  const months = countMonths(anchor, at);
  const isClose = addMonths(anchor, months).getTime() - at.getTime() < FEWEST_DAYS_BEFORE_END * DAY;
  return month(anchor, isClose ? months : months - 1, until);
}

/** The month of an anchor in which `at` lies, in a period that ends at `until`. */
export function monthAround(anchor: Date, at: Date, until: Date): Month {
  const months = countMonths(anchor, at);
  const isPast = months > 0 && addMonths(anchor, months) > at;
  return month(anchor, isPast ? months - 1 : months, until);
}

function month(anchor: Date, months: number, until: Date): Month {
  const nextAt = addMonths(anchor, months + 1);
  const isLast = nextAt.getTime() > until.getTime() - FEWEST_DAYS_BEFORE_END * DAY;
  return { startsAt: addMonths(anchor, months), nextAt, endsAt: isLast ? until : nextAt };
}

/** The first boundary of an anchor that is not before `at`, or `until` if that is close or sooner. */
export function boundaryFrom(anchor: Date, at: Date, until: Date): Date {
  const boundary = addMonths(anchor, countMonths(anchor, at));
  return boundary.getTime() > until.getTime() - FEWEST_DAYS_BEFORE_END * DAY ? until : boundary;
}

/** The smallest count of months for which anchor + months is not before `at`. */
export function countMonths(anchor: Date, at: Date): number {
  if (at <= anchor) return 0;
  const months =
    (at.getUTCFullYear() - anchor.getUTCFullYear()) * 12 + at.getUTCMonth() - anchor.getUTCMonth();
  return addMonths(anchor, months) < at ? months + 1 : months;
}

/** The credits of a lot that begins at `from`: a month's, or for a lot shorter than 27 days its share, rounded up. */
export function creditsFrom(from: Date, month: Month, credits: number): number {
  const left = month.endsAt.getTime() - from.getTime();
  if (left >= WHOLE_DAYS * DAY) return credits;
  return Math.ceil((credits * left) / (month.nextAt.getTime() - month.startsAt.getTime()));
}
