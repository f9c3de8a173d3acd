import { type ActionKey, creditsFor, type Pack } from "~/catalog";

interface Wanted {
  action: ActionKey;
  units: number;
  /** Spendable credits. */
  balance: number;
  /** The packs on sale. */
  packs: readonly Pack[];
}

/** The cost of a run, before anything is taken. Amounts are in credits. */
export interface Estimate {
  action: ActionKey;
  units: number;
  credits: number;
  balance: number;
  allowed: boolean;
  /** The code of the refusal, if it would be refused. */
  reason: "insufficient_credits" | null;
  /** Credits left after the run; 0 if it would be refused. */
  left: number;
  /** Credits that are missing; 0 if it would be allowed. */
  missing: number;
  /** The smallest pack that covers what is missing; null if nothing is, or if no pack is large enough. */
  pack: Pack | null;
}

/** Estimates a run for a page or a client. It reserves nothing: `reserveRun` decides. */
export function estimateRun({ action, units, balance, packs }: Wanted): Estimate {
  const credits = creditsFor(action, units);
  const missing = Math.max(0, credits - balance);
  const allowed = missing === 0;
  return {
    action,
    units,
    credits,
    balance,
    allowed,
    reason: allowed ? null : "insufficient_credits",
    left: allowed ? balance - credits : 0,
    missing,
    pack: allowed ? null : smallestOf(packs.filter((pack) => pack.credits >= missing)),
  };
}

const smallestOf = ([first, ...others]: Pack[]): Pack | null =>
  first
    ? others.reduce((least, pack) => (pack.credits < least.credits ? pack : least), first)
    : null;
