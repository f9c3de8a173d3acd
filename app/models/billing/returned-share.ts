interface Returned {
  /** What was charged, in minor units; null where it isn't known yet. */
  amount: number | null;
  amountReturned: number;
}

/**
 * The part of so many credits that a returned payment takes back: floor(credits × returned / amount),
 * all of them at most. 0 for what cost nothing.
 */
export function returnedCredits(credits: number, { amount, amountReturned }: Returned): number {
  if (!amount) return 0;
  const returned = BigInt(Math.min(amountReturned, amount));
  return Number((BigInt(credits) * returned) / BigInt(amount));
}

/** What is left of so many credits. Nothing is taken from less than one. */
export function creditsAfterReturns(credits: number, returned: Returned): number {
  return credits <= 0 ? credits : credits - returnedCredits(credits, returned);
}
