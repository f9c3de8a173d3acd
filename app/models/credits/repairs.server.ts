import { type DatabaseOrTransaction, getDb, type Transaction } from "~/db.server";
import { ensureAccount, lockAccount } from "~/models/credits/accounts.server";
import { listFaults } from "~/models/credits/faults.server";
import {
  type Correction,
  listConfirmedJumps,
  listCorrections,
} from "~/models/credits/repair-plan.server";
import type { LedgerFault } from "~/models/credits/rule-set";

interface Repair {
  userId: string;
  /** The cause, for the record. */
  reason: string;
  /** The person or machine user who repairs. */
  operator: string;
  /** Keeps the repair. Without it everything is tried and undone. */
  apply: boolean;
}

export type RepairResult =
  | { status: "sound" }
  /** `corrections` were made, or would be. Afterwards the account verifies. */
  | { status: "repaired" | "repairable"; faults: LedgerFault[]; corrections: Correction[] }
  /** `left` would remain: the movements themselves are wrong. Nothing was changed. */
  | { status: "unrepairable"; faults: LedgerFault[]; left: LedgerFault[] };

/**
 * Brings an account's stored numbers back to what its movements say: the balance, what is left of each
 * lot, the next expiry. A row's `balance_after` is history and stays; the correct number is recorded
 * beside it. Movements are never touched: if they contradict each other, or the balance confirms a jump in the
 * chain of `balance_after`, nothing is changed.
 *
 * One transaction under the account's lock makes the corrections, records each, and verifies the
 * account. It is kept only if no fault is left, and only with `apply`.
 */
export async function repairAccount(
  repair: Repair,
  db: DatabaseOrTransaction = getDb(),
): Promise<RepairResult> {
  let result: RepairResult = { status: "sound" };
  try {
    await db.$transaction(async (transaction) => {
      result = await repairLocked(repair, transaction);
      if (result.status !== "repaired") throw new Undone();
    });
  } catch (error) {
    if (!(error instanceof Undone)) throw error;
  }
  return result;
}

/** Rolls a transaction back whose result is known. */
class Undone extends Error {
  override readonly name = "Undone";
}

async function repairLocked(
  { userId, reason, operator, apply }: Repair,
  transaction: Transaction,
): Promise<RepairResult> {
  const wasMissing = !(await lockAccount(userId, transaction));
  const faults = await listFaults([userId], transaction);
  if (faults.length === 0) return { status: "sound" };
  if (wasMissing) await ensureAccount(userId, transaction);

  const jumps = await listConfirmedJumps(userId, transaction);
  if (jumps.length > 0) return { status: "unrepairable", faults, left: jumps };
  const corrections = await listCorrections(userId, transaction);
  if (corrections.some(isOutOfRange)) return { status: "unrepairable", faults, left: faults };
  const repairId = crypto.randomUUID();
  for (const correction of corrections) {
    await correct({ userId, correction }, transaction);
    const { most: _, ...record } = correction;
    await transaction.creditRepair.create({
      data: { ...record, repairId, userId, reason, operator },
      select: { id: true },
    });
  }
  const left = await listFaults([userId], transaction);
  if (left.length > 0) return { status: "unrepairable", faults, left };
  return { status: apply ? "repaired" : "repairable", faults, corrections };
}

/** A number below zero, or a lot above its amount: the movements took or gave what was not there. */
function isOutOfRange({ field, after, most }: Correction): boolean {
  if (field === "next_expiry_at") return false;
  return Number(after) < 0 || (most !== null && Number(after) > most);
}

async function correct(
  {
    userId,
    correction: { field, transactionId, after },
  }: { userId: string; correction: Correction },
  transaction: Transaction,
): Promise<void> {
  switch (field) {
    case "remaining":
      await transaction.$executeRaw`
        UPDATE credit_transactions SET remaining = ${Number(after)} WHERE id = ${transactionId}::bigint`;
      return;
    case "balance":
      await transaction.$executeRaw`
        UPDATE credit_accounts SET balance = ${Number(after)} WHERE user_id = ${userId}::uuid`;
      return;
    case "next_expiry_at":
      await transaction.$executeRaw`
        UPDATE credit_accounts SET next_expiry_at = ${after}::timestamptz WHERE user_id = ${userId}::uuid`;
      return;
    case "balance_after":
      // The row is history. Its entry in `credit_repairs` holds the correct number.
      return;
  }
}
