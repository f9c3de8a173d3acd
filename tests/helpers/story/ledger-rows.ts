import { CREDITS_PER_IMAGE } from "~/catalog";
import type { Event } from "./story";

/** A row of the ledger before the database gave it an id; `lot` is an index among the rows. */
export interface LedgerRow {
  at: Date;
  type: "grant" | "deduction" | "refund" | "expiry";
  amount: number;
  balanceAfter: number;
  /** The event that caused it; for an expiry, the one that made its lot. */
  event: Event;
  /** Lots only. */
  remaining?: number;
  expiresAt?: Date | null;
  allocations: { lot: number; amount: number }[];
}

/** Books a story by the ledger's rules: earliest expiry first, refunds into the lots they came from. */
export function bookStory(events: Event[], now: Date): LedgerRow[] {
  const rows: LedgerRow[] = [];
  let balance = 0;
  const add = (row: Omit<LedgerRow, "balanceAfter">) => {
    balance += row.amount;
    rows.push({ ...row, balanceAfter: balance });
  };
  const expireUntil = (time: Date) => {
    for (const [lot, row] of [...rows.entries()]) {
      if (!row.remaining || !row.expiresAt || row.expiresAt > time) continue;
      const amount = -row.remaining;
      row.remaining = 0;
      const { event, expiresAt: at } = row;
      add({ at, type: "expiry", amount, event, allocations: [{ lot, amount }] });
    }
  };
  for (const event of events) {
    expireUntil(event.at);
    const { at } = event;
    if (event.kind !== "images") {
      const expiresAt = event.kind === "month" ? event.endsAt : null;
      const { credits } = event;
      const lot = { amount: credits, remaining: credits, expiresAt, allocations: [] };
      add({ at, type: "grant", event, ...lot });
      continue;
    }
    const allocations = takeFrom(rows, event.count * CREDITS_PER_IMAGE);
    const amount = -event.count * CREDITS_PER_IMAGE;
    add({ at, type: "deduction", amount, event, allocations });
    if (!event.failed) continue;
    const back = allocations.map(({ lot, amount }) => ({ lot, amount: -amount }));
    for (const { lot, amount } of back) {
      const row = rows[lot];
      if (row) row.remaining = (row.remaining ?? 0) + amount;
    }
    const refundedAt = new Date(at.getTime() + 40_000);
    add({ at: refundedAt, type: "refund", amount: -amount, event, allocations: back });
  }
  expireUntil(now);
  return rows;
}

/** Takes credits in burn order and returns what came from which lot. */
function takeFrom(rows: LedgerRow[], credits: number) {
  const lots = [...rows.entries()].filter(([, row]) => row.remaining);
  lots.sort(
    ([, one], [, other]) =>
      (one.expiresAt?.getTime() ?? Number.POSITIVE_INFINITY) -
      (other.expiresAt?.getTime() ?? Number.POSITIVE_INFINITY),
  );
  const taken: { lot: number; amount: number }[] = [];
  let left = credits;
  for (const [lot, row] of lots) {
    const part = Math.min(left, row.remaining ?? 0);
    if (part === 0) continue;
    row.remaining = (row.remaining ?? 0) - part;
    taken.push({ lot, amount: -part });
    left -= part;
  }
  if (left > 0) throw new Error("the story spends credits that it doesn't have");
  return taken;
}
