import type { PaymentProviderName } from "~/env/payments";

interface Returned {
  /** The charge in minor units; null where it isn't known yet. */
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

/** The sum that came back of a payment. Stripe counts refunds and disputes apart; Creem's figures are one sum. */
export function returnedInAll(
  provider: PaymentProviderName,
  { amountRefunded, amountDisputed }: { amountRefunded: number; amountDisputed: number },
): number {
  return provider === "stripe"
    ? amountRefunded + amountDisputed
    : Math.max(amountRefunded, amountDisputed);
}
