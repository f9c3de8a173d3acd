import { type DatabaseOrTransaction, getDb } from "~/db.server";
import { addLot } from "~/models/credits/grants.server";
import { takeCredits } from "~/models/credits/spends.server";
import type { DuplicateSource } from "~/models/credits/transactions.server";

interface Adjustment {
  userId: string;
  /** Credits, with a sign: above zero gives a lot that never expires, below takes in burn order. */
  amount: number;
  /** The operator's own name for it: the same again changes nothing. */
  key: string;
  /** Why, for the user and for whoever reads the ledger later. */
  reason: string;
}

export type AdjustResult =
  | { status: "adjusted"; transactionId: string }
  | { status: "insufficient"; required: number; balance: number }
  /** The key was used before, for `transaction`, which need not have been the same adjustment. */
  | DuplicateSource;

/** Corrects a balance by hand. Takes all of it or nothing. Throws RangeError for 0 credits. */
export async function adjustCredits(
  { userId, amount, key, reason }: Adjustment,
  db: DatabaseOrTransaction = getDb(),
): Promise<AdjustResult> {
  const entry = {
    userId,
    type: "adjustment",
    amount: Math.abs(amount),
    source: `adjustment:${key}`,
    description: reason,
  } as const;
  const result =
    amount < 0 ? await takeCredits(entry, db) : await addLot({ ...entry, expiresAt: null }, db);
  if (result.status === "spent" || result.status === "granted") {
    return { status: "adjusted", transactionId: result.transactionId };
  }
  return result;
}
