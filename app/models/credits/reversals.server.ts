import type { Transaction } from "~/db.server";
import { lockAccount } from "~/models/credits/accounts.server";
import { requireCredits } from "~/models/credits/amount";
import { bookLocked } from "~/models/credits/expiries.server";

interface Reversal {
  userId: string;
  /** The source of the lot to take from. */
  lotSource: string;
  /** Credits, from 1. */
  amount: number;
  source: string;
  reference?: string;
}

/**
 * Takes credits back from one lot, up to the number it still holds, and returns how many; for 0 no row
 * is written. Never takes from another lot: other purchases are not touched. Throws if the lot does not
 * exist or the source was used before.
 */
export async function reverseLot(reversal: Reversal, transaction: Transaction): Promise<number> {
  requireCredits(reversal.amount);
  const { userId, lotSource } = reversal;
  await lockAccount(userId, transaction);
  const { at } = await bookLocked([userId], transaction);
  const [lot] = await transaction.$queryRaw<{ id: bigint; remaining: number }[]>`
    SELECT id, remaining FROM credit_transactions
    WHERE source = ${lotSource} AND user_id = ${userId}::uuid AND remaining IS NOT NULL`;
  if (!lot) throw new Error(`credit_transactions: no lot has the source ${lotSource}`);
  const amount = Math.min(reversal.amount, lot.remaining);
  if (amount > 0) await takeFromLot({ ...reversal, amount, lotId: lot.id, at }, transaction);
  return amount;
}

/** The caller has locked the lot's account and checked that the lot holds enough. */
async function takeFromLot(
  taking: Reversal & { lotId: bigint; at: string },
  transaction: Transaction,
): Promise<void> {
  const { userId, amount, source, reference, lotId, at } = taking;
  const taken = await transaction.$queryRaw<unknown[]>`
    WITH reversal AS (
      INSERT INTO credit_transactions (user_id, type, amount, balance_after, source, reference)
      SELECT user_id, 'reversal', -${amount}::int, balance - ${amount}::int, ${source},
        ${reference ?? null}
      FROM credit_accounts WHERE user_id = ${userId}::uuid
      RETURNING id, user_id, balance_after
    ),
    emptied AS (
      UPDATE credit_transactions lot SET remaining = remaining - ${amount}::int
      FROM reversal WHERE lot.id = ${lotId}
    ),
    allocated AS (
      INSERT INTO credit_allocations (transaction_id, lot_id, amount)
      SELECT id, ${lotId}, -${amount}::int FROM reversal
    )
    UPDATE credit_accounts account SET balance = reversal.balance_after, next_expiry_at = (
      SELECT min(expires_at) FROM credit_transactions lot
      WHERE lot.user_id = account.user_id AND remaining > 0 AND expires_at > ${at}::timestamptz
        AND NOT (lot.id = ${lotId} AND remaining = ${amount}::int)
    )
    FROM reversal WHERE account.user_id = reversal.user_id
    RETURNING 1 AS taken`;
  if (taken.length !== 1) throw new Error(`credit_accounts: none to take ${source} from`);
}
