/** The most credits that one row or balance can hold: a PostgreSQL integer. */
export const MOST_CREDITS = 2_147_483_647;

/** Throws RangeError unless `amount` is a whole number of credits from 1 to `MOST_CREDITS`. */
export function requireCredits(amount: number): void {
  if (Number.isInteger(amount) && amount >= 1 && amount <= MOST_CREDITS) return;
  throw new RangeError(`not an amount of credits: ${amount}`);
}
