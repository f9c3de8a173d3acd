/** The exact share of a payment that went back, from 0 to 1. */
export interface Share {
  part: bigint;
  whole: bigint;
}

export const NONE: Share = { part: 0n, whole: 1n };
export const ALL: Share = { part: 1n, whole: 1n };

/** `part` of `whole`, both in minor units of one currency; at most all of it. Nothing of what cost nothing. */
export function shareOf(part: number, whole: number): Share {
  if (whole <= 0 || part <= 0) return NONE;
  return part >= whole ? ALL : { part: BigInt(part), whole: BigInt(whole) };
}

export function multiply(a: Share, b: Share): Share {
  return { part: a.part * b.part, whole: a.whole * b.whole };
}

/** The sum, at most all of it. */
export function add(a: Share, b: Share): Share {
  const sum = { part: a.part * b.whole + b.part * a.whole, whole: a.whole * b.whole };
  return isAll(sum) ? ALL : sum;
}

export function isAll({ part, whole }: Share): boolean {
  return part >= whole;
}

/** floor(amount × share), for credits and for minor units. */
export function portionOf(amount: number, { part, whole }: Share): number {
  return Number((BigInt(amount) * part) / whole);
}
