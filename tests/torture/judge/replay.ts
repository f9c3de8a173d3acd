import { sum } from "../sum";
import type { LedgerRow } from "./read-account";

/** Credits that came together, as the rules move them. */
interface Lot {
  id: string;
  source: string;
  reference: string | null;
  left: number;
  expiresAt: number | null;
  isRevived: boolean;
  /** Credits that were taken from it by runs and corrections, or expired, less those that came back. */
  spent: number;
}

export interface Replayed {
  lots: Lot[];
  balance: number;
  /** Deductions less refunds of each run, by its id. */
  runs: Map<string, number>;
  rows: Map<string, LedgerRow>;
  wrong: string[];
}

type Part = { lot: string; amount: number };

export const REVIVED_MS = 24 * 60 * 60 * 1000;

/**
 * Follows an account's rows from the first one by docs/rules.md: which lots each of them may move, and by how much. The
 * rows' order is the order in which the service decided; all else is worked out here, from nothing but rules.
 */
export function replay(rows: readonly LedgerRow[]): Replayed {
  const lots: Lot[] = [];
  const seen = new Map<string, LedgerRow>();
  const runs = new Map<string, number>();
  const wrong: string[] = [];
  let balance = 0;

  for (const row of rows) {
    const say = (what: string) => wrong.push(`row ${row.id} (${row.type} ${row.source}): ${what}`);
    if (seen.has(row.source)) say("its source was used before");
    seen.set(row.source, row);
    balance += row.amount;
    if (row.balanceAfter !== balance)
      say(`says ${row.balanceAfter} after it, and it is ${balance}`);
    if (balance < 0) say(`leaves ${balance}`);
    const isLot = row.type === "grant" || (row.type === "adjustment" && row.amount > 0);
    if (isLot) {
      if (row.moved.length > 0) say("brings credits and moves others");
      lots.push(lotOf(row));
      continue;
    }
    if (sum(row.moved.map(({ amount }) => amount)) !== row.amount) say("its parts don't sum to it");
    const wanted = expectedParts(row, lots, seen);
    if (typeof wanted === "string") say(wanted);
    else if (wanted && text(wanted) !== text(row.moved))
      say(`moved ${text(row.moved)}, and the rules move ${text(wanted)}`);
    move(row, lots, say);
    const runId = runOf(row.source);
    if (runId) runs.set(runId, (runs.get(runId) ?? 0) - row.amount);
  }
  return { lots, balance, runs, rows: seen, wrong };
}

const lotOf = ({ id, source, reference, amount, expiresAt }: LedgerRow): Lot => ({
  ...{ id, source, reference, left: amount, isRevived: false, spent: 0 },
  // The table has the time to which a refund may have moved it; only lots that end are judged with it.
  expiresAt: expiresAt?.getTime() ?? null,
});

const runOf = (source: string) => /^(?:generation|run):([^:]+)/.exec(source)?.[1] ?? null;
const text = (parts: readonly Part[]) =>
  parts
    .filter(({ amount }) => amount !== 0)
    .map(({ lot, amount }) => `${lot}:${amount}`)
    .sort()
    .join(" ");

/** Earliest expiry first, lots without one last, then the oldest. */
const inBurnOrder = (lots: readonly Lot[]) =>
  lots.toSorted(
    (a, b) =>
      (a.expiresAt ?? Number.MAX_SAFE_INTEGER) - (b.expiresAt ?? Number.MAX_SAFE_INTEGER) ||
      Number(a.id) - Number(b.id),
  );

/** The parts that the rules give a row; null where they leave a choice, a sentence where it must not be. */
function expectedParts(
  row: LedgerRow,
  lots: readonly Lot[],
  seen: ReadonlyMap<string, LedgerRow>,
): Part[] | string | null {
  switch (row.type) {
    case "deduction":
    case "adjustment":
      return burn(-row.amount, lots, row.at.getTime());
    case "refund":
      return refund(row, lots, seen);
    case "expiry":
      return expire(row, lots);
    default:
      return null;
  }
}

function burn(credits: number, lots: readonly Lot[], at: number): Part[] | string {
  let left = credits;
  const parts: Part[] = [];
  for (const lot of inBurnOrder(lots)) {
    if (lot.expiresAt !== null && lot.expiresAt <= at) continue;
    const part = Math.min(lot.left, left);
    if (part > 0) parts.push({ lot: lot.id, amount: -part });
    left -= part;
  }
  return left > 0 ? `takes ${left} credits more than there were` : parts;
}

/** Back into the lots of its deduction, those that burn last first. */
function refund(
  row: LedgerRow,
  lots: readonly Lot[],
  seen: ReadonlyMap<string, LedgerRow>,
): Part[] | string {
  const taken = seen.get(row.source.replace(/:refund$/, ""));
  if (taken?.type !== "deduction") return "gives back what nobody took";
  if (row.amount > -taken.amount)
    return `gives back more than the ${-taken.amount} that were taken`;
  let left = row.amount;
  const parts: Part[] = [];
  for (const lot of inBurnOrder(lots).reverse()) {
    const from = -(taken.moved.find((part) => part.lot === lot.id)?.amount ?? 0);
    const part = Math.min(from, left);
    if (part > 0) parts.push({ lot: lot.id, amount: part });
    left -= part;
  }
  return parts;
}

/** An expiry takes all that its lot still holds. */
function expire({ source }: LedgerRow, lots: readonly Lot[]): Part[] | string {
  const [, id = ""] = /^expiry:(\d+):/.exec(source) ?? [];
  const lot = lots.find((candidate) => candidate.id === id);
  return lot ? [{ lot: id, amount: -lot.left }] : "ends no lot of the account";
}

function move(row: LedgerRow, lots: readonly Lot[], say: (what: string) => void): void {
  for (const { lot: id, amount } of row.moved) {
    const lot = lots.find((candidate) => candidate.id === id);
    if (!lot) {
      say(`moves lot ${id}, which isn't the account's`);
      continue;
    }
    lot.left += amount;
    if (lot.left < 0) say(`leaves ${lot.left} in lot ${id}`);
    if (row.type !== "reversal") lot.spent -= amount;
    const isOver = lot.expiresAt !== null && lot.expiresAt <= row.at.getTime();
    if (row.type === "expiry" && !isOver) say(`ends lot ${id} before its time`);
    if (row.type === "refund" && isOver && !lot.isRevived) {
      lot.isRevived = true;
      lot.expiresAt = row.at.getTime() + REVIVED_MS;
    }
  }
}
