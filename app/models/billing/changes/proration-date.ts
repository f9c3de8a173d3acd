/** Prices shown on one page stay the same that long, and so does the key of a repeated request. */
const WINDOW_MS = 10 * 60 * 1000;
/** A price older than this is not charged without being shown again. */
const LIFE_MS = 30 * 60 * 1000;
const SECOND_MS = 1000;

/**
 * The whole second from which a change at once is prorated: the start of the current ten minutes, and after
 * the period's own start, which belongs to the period's own payment.
 */
export function prorationDate(now: Date, periodStart: Date): Date {
  const window = Math.floor(now.getTime() / WINDOW_MS) * WINDOW_MS;
  const earliest = (Math.floor(periodStart.getTime() / SECOND_MS) + 1) * SECOND_MS;
  return new Date(Math.max(window, earliest));
}

/** Whether a price that was shown for `at` may still be charged. */
export function isPriceCurrent(at: Date, { now, periodStart }: { now: Date; periodStart: Date }) {
  const age = now.getTime() - at.getTime();
  return at > periodStart && age < LIFE_MS && at <= prorationDate(now, periodStart);
}
