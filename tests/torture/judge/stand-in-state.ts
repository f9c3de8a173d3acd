import { z } from "zod";

// Parts that the states of both payment stand-ins have in common.

export const amount = z.int();
export const records = <Shape extends z.ZodType>(shape: Shape) => z.record(z.string(), shape);

/** A refund that is under way counts, and so does a dispute that isn't over, or is lost. */
const COUNTS = [
  "pending",
  "requires_action",
  "succeeded",
  "needs_response",
  "under_review",
  "created",
  "lost",
];

/** Minor units of all refunds and disputes that count and are of this payment. */
export const awayOf = <One extends { amount: number; status: string }>(
  returns: readonly One[],
  isOf: (one: One) => boolean,
): number =>
  returns
    .filter((one) => isOf(one) && COUNTS.includes(one.status))
    .reduce((total, one) => total + one.amount, 0);

/** So many months later, in UTC; on the last day of a month that lacks the day. */
export function monthsAfter(from: Date, months: number): Date {
  const at = new Date(from);
  at.setUTCDate(1);
  at.setUTCMonth(at.getUTCMonth() + months);
  const last = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 0)).getUTCDate();
  at.setUTCDate(Math.min(from.getUTCDate(), last));
  return at;
}
