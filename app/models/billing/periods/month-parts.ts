import { creditsFrom, type Month, monthAround } from "~/models/billing/periods/months";
import {
  anchorOf,
  type CreditsOf,
  findBase,
  findRepeated,
  grantedUntil,
  hasOnlyAdded,
  type PaidPeriod,
} from "~/models/billing/periods/paid-periods";
import { portionOf } from "~/models/billing/shares/share";

/** One payment's part of a month. */
export interface Part {
  period: PaidPeriod;
  /** Credits, before returns. */
  credits: number;
  /** Credits of it that the payment doesn't give: see `withheldOf`. */
  withheld: number;
}

/** All periods of a subscription in their order, and what its plans are worth. */
export interface Known {
  sorted: readonly PaidPeriod[];
  creditsOf: CreditsOf;
}

/** A part before it is known how much of the month its lot has. */
interface Claim {
  period: PaidPeriod;
  credits: number;
  /** Whether an earlier payment gives of the same month, so that this one gives only what is missing there. */
  isAgain: boolean;
}

interface ClaimOfMonth extends Claim {
  /** Whether the payment that it repeats has the same credits in this month, so that they count once. */
  isBeside: boolean;
}

/** Each payment's part of the lot that begins at `from` in a whole month of this period. */
export function partsOf(period: PaidPeriod, from: Date, month: Month, known: Known): Part[] {
  let before = 0;
  const scale = (credits: number) => creditsFrom(from, month, credits);
  return claimsOf(period, month, known).map((claim) => {
    // The sum is scaled, so that rounding each part adds nothing.
    const start = claim.isBeside ? 0 : before;
    const credits = scale(start + claim.credits) - scale(start);
    if (!claim.isBeside) before += claim.credits;
    return partOf({ ...claim, credits }, known.sorted);
  });
}

/** The part of a payment that adds to a month which others began. */
export function addedPart(period: PaidPeriod, credits: number, { sorted }: Known): Part {
  const isAgain = findRepeated(sorted, period) !== undefined;
  return partOf({ period, credits, isAgain }, sorted);
}

function partOf(claim: Claim, sorted: readonly PaidPeriod[]): Part {
  const { period, credits } = claim;
  return { period, credits, withheld: withheldOf(claim, sorted) };
}

function claimsOf(period: PaidPeriod, month: Month, known: Known): ClaimOfMonth[] {
  const { sorted, creditsOf } = known;
  const whole = { period, credits: creditsOf(period.planKey), isAgain: false, isBeside: false };
  const base = period.kind === "upgrade" ? findBase(sorted, period) : undefined;
  if (base) {
    const claims = capClaims(claimsOf(base, month, known), whole.credits);
    const rest = Math.max(0, whole.credits - creditsOf(base.planKey));
    return [...claims, { ...whole, credits: rest }];
  }
  const repeated = findRepeated(sorted, period);
  if (!repeated || !period.paidAt || period.paidAt < month.startsAt) return [whole];
  const claims = claimsOf(repeated, month, known);
  const open = claims.filter((claim) => claim.period.closedAt === null);
  if (period.paidAt >= month.endsAt) return open.length > 0 ? open : [whole];
  const credits = claims.at(-1)?.credits ?? 0;
  return [...open, { period, credits, isAgain: true, isBeside: open.length > 0 }];
}

/** At most so many credits together: of a plan that was made smaller, the earlier payments give no more than its month. */
function capClaims(claims: ClaimOfMonth[], most: number): ClaimOfMonth[] {
  let left = most;
  let repeated = 0;
  return claims.map((claim) => {
    const credits = Math.min(claim.credits, claim.isBeside ? repeated : left);
    if (!claim.isBeside) left -= credits;
    repeated = credits;
    return { ...claim, credits };
  });
}

/**
 * The credits of a part that its payment doesn't give: the share of it that is away. One that was made again gives
 * only what the earlier one leaves missing at worst, as if no refund of that had failed and no dispute had been won.
 */
export function withheldOf(
  { period, credits, isAgain }: Claim,
  sorted: readonly PaidPeriod[],
): number {
  const most = isAgain ? missingOf(credits, period, sorted) : credits;
  return credits - most + portionOf(most, period.share);
}

/** A payment repeats earlier ones, which give these credits. Returns how many of them are missing at worst. */
function missingOf(credits: number, period: PaidPeriod, sorted: readonly PaidPeriod[]): number {
  const repeated = findRepeated(sorted, period);
  if (!repeated) return credits;
  return portionOf(missingOf(credits, repeated, sorted), repeated.worstShare);
}

/** Whether an earlier payment gives of the last month that this one gave. */
export function wasPaidAgain(period: PaidPeriod, sorted: readonly PaidPeriod[]): boolean {
  const until = grantedUntil(period);
  if (!until || !findRepeated(sorted, period)) return false;
  if (hasOnlyAdded(period)) return true;
  const month = monthAround(anchorOf(period), new Date(until.getTime() - 1), until);
  return period.kind === "paid" && period.paidAt !== null && period.paidAt >= month.startsAt;
}
