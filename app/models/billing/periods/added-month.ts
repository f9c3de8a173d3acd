import type { Known } from "~/models/billing/periods/month-parts";
import { creditsFrom, type Month, monthAround } from "~/models/billing/periods/months";
import {
  findBase,
  findRepeated,
  grantedUntil,
  hasOnlyAdded,
  monthAnchor,
  type PaidPeriod,
} from "~/models/billing/periods/paid-periods";

/** The rest of a month that an earlier payment granted, for a later one that adds to it. */
export interface AddedMonth {
  month: Month;
  /** Where its lot begins and ends. */
  from: Date;
  endsAt: Date;
  /** Credits, before returns. */
  credits: number;
  /** Whether they are a dearer plan's difference. */
  isUpgrade: boolean;
}

interface Stretch {
  /** Where the payment's time begins that isn't granted by itself. */
  from: Date;
  /** Where the months begin that it grants by itself: the end of the month that earlier ones granted. */
  covered: Date;
  /** Where its months end. */
  end: Date;
}

/**
 * The month to which a payment adds: one that another period granted. Null if it adds nothing. `earlier` are the
 * periods before it that hold it back.
 */
export function findAddedMonth(
  period: PaidPeriod,
  { earlier, ...stretch }: Stretch & { earlier: readonly PaidPeriod[] },
  known: Known,
): AddedMonth | null {
  const { sorted } = known;
  const granting = earlier.filter(
    (other) => Number(grantedUntil(other)) === stretch.covered.getTime(),
  );
  const running =
    granting.at(-1) ?? (period.kind === "upgrade" ? findBase(sorted, period) : undefined);
  if (!running) return null;
  // The months of a payment that only added to this one begin later.
  const whole = granting.findLast((other) => !hasOnlyAdded(other));
  const anchor = monthAnchor(sorted, whole ?? running);
  return running === findRepeated(sorted, period)
    ? findSameMonth(period, { ...stretch, anchor }, running)
    : findDifference(period, { ...stretch, anchor, granting }, { running, known });
}

/** The month of a payment that this one repeats: what it gave there. */
function findSameMonth(
  { paidAt }: PaidPeriod,
  { from, covered, anchor }: Stretch & { anchor: Date },
  repeated: PaidPeriod,
): AddedMonth | null {
  const month = monthAround(anchor, paidAt && paidAt > from ? paidAt : from, covered);
  const { startsAt, endsAt } = month;
  const credits = repeated.grantedCredits ?? 0;
  const isOther = endsAt < covered || startsAt >= covered || endsAt <= from;
  if (credits === 0 || isOther) return null;
  return { month, from: startsAt, endsAt, credits, isUpgrade: false };
}

/** The difference of a dearer plan for the rest of the month. */
function findDifference(
  period: PaidPeriod,
  {
    from,
    covered,
    end,
    anchor,
    granting,
  }: Stretch & { anchor: Date; granting: readonly PaidPeriod[] },
  { running, known: { creditsOf } }: { running: PaidPeriod; known: Known },
): AddedMonth | null {
  const month = monthAround(anchor, from, covered);
  const isRunning = month.endsAt.getTime() === covered.getTime();
  const given = isRunning ? mostGiven(granting) : 0;
  const difference = creditsOf(period.planKey) - Math.max(creditsOf(running.planKey), given);
  if (difference <= 0) return null;
  const endsAt = month.endsAt < end ? month.endsAt : end;
  const credits = creditsFrom(from, { ...month, endsAt }, difference);
  return { month, from, endsAt, credits, isUpgrade: true };
}

/**
 * The most that one payment gave of a month: more than its plan's month if a dearer plan was heard of before its
 * payment. Returns don't count: what they take of a part comes back to it.
 */
function mostGiven(granting: readonly PaidPeriod[]): number {
  const given = granting
    .filter(({ kind }) => kind !== "trial")
    .map(({ grantedCredits }) => grantedCredits ?? 0);
  return Math.max(0, ...given);
}
