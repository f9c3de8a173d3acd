import { type ActionKey, creditsFor, type Pack } from "~/catalog";

interface Wanted {
  action: ActionKey;
  units: number;
  /** Spendable credits. */
  balance: number;
  /** Credits that monthly limits leave, which may be below zero; null without a limit. */
  room: number | null;
  /** The packs on sale; none for a client that only asks whether it may. */
  packs?: readonly Pack[];
}

/** The cost of a run, before anything is taken. Amounts are in credits. */
export interface Estimate {
  action: ActionKey;
  units: number;
  credits: number;
  balance: number;
  allowed: boolean;
  /** The code of the refusal, if it would be refused. */
  reason: "insufficient_credits" | "limit_reached" | null;
  /** Credits left after the run; 0 if it would be refused. */
  left: number;
  /** Credits that the balance lacks. */
  missing: number;
  /** The smallest pack that covers what is missing; null if nothing is, or if no pack is large enough. */
  pack: Pack | null;
}

/** Estimates a run for a page or a client, as `reserveRun` decides: too few credits are said before a limit. */
export function estimateRun({ action, units, balance, room, packs = [] }: Wanted): Estimate {
  const credits = creditsFor(action, units);
  const missing = Math.max(0, credits - balance);
  const isBeyond = room !== null && credits > room;
  const reason = missing > 0 ? "insufficient_credits" : isBeyond ? "limit_reached" : null;
  return {
    action,
    units,
    credits,
    balance,
    allowed: reason === null,
    reason,
    left: reason === null ? balance - credits : 0,
    missing,
    pack: missing > 0 ? smallestOf(packs.filter((pack) => pack.credits >= missing)) : null,
  };
}

const smallestOf = ([first, ...others]: Pack[]): Pack | null =>
  first
    ? others.reduce((least, pack) => (pack.credits < least.credits ? pack : least), first)
    : null;
