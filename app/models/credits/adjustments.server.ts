import { type DatabaseOrTransaction, getDb } from "~/db.server";
import { lockAccount } from "~/models/credits/accounts.server";
import { listFaults } from "~/models/credits/faults.server";
import { addLot } from "~/models/credits/grants.server";
import type { LedgerFault } from "~/models/credits/rule-set";
import { takeCredits } from "~/models/credits/spends.server";
import type { DuplicateSource } from "~/models/credits/transactions.server";

interface Adjustment {
  userId: string;
  /** Credits, signed: a positive amount adds a lot that never expires, a negative one takes in burn order. */
  amount: number;
  /** The operator's name for the adjustment. Repeating a key changes nothing. */
  key: string;
  /** The reason, shown to the user and in the ledger. */
  reason: string;
  /** Who gave or took them: the user of the machine that ran the command, or an administrator's id. Kept as the row's reference. */
  operator?: string;
}

export type AdjustResult =
  | { status: "adjusted"; transactionId: string }
  | { status: "insufficient"; required: number; balance: number }
  /** The account does not verify, so nothing was changed: every new row would carry the fault on. */
  | { status: "faulty"; faults: LedgerFault[] }
  /** The key was used before, by `transaction`, which may be a different adjustment. */
  | DuplicateSource;

/**
 * Gives or takes credits by hand: the full amount or nothing. Refuses an account that does not verify,
 * checked under its lock. Throws RangeError for 0 credits.
 */
export async function adjustCredits(
  { userId, amount, key, reason, operator }: Adjustment,
  db: DatabaseOrTransaction = getDb(),
): Promise<AdjustResult> {
  const entry = {
    userId,
    type: "adjustment",
    amount: Math.abs(amount),
    source: `adjustment:${key}`,
    description: reason,
    ...(operator ? { reference: `operator:${operator}` } : {}),
  } as const;
  return db.$transaction(async (transaction): Promise<AdjustResult> => {
    await lockAccount(userId, transaction);
    const faults = await listFaults([userId], transaction);
    if (faults.length > 0) return { status: "faulty", faults };
    const result =
      amount < 0
        ? await takeCredits(entry, transaction)
        : await addLot({ ...entry, expiresAt: null }, transaction);
    if (result.status === "spent" || result.status === "granted")
      return { status: "adjusted", transactionId: result.transactionId };
    return result;
  });
}
