import type { Transaction } from "~/db.server";
import { lockAccount } from "~/models/credits/accounts.server";
import { requireCredits } from "~/models/credits/amount";
import { bookLocked } from "~/models/credits/expiries.server";

interface Reversal {
  userId: string;
  /** The lots to take from. */
  lots: LotsOfSale;
  /** Credits, from 1. */
  amount: number;
  source: string;
  reference: string;
}

/** The lots of a sale, by their references, the original one first. */
export interface LotsOfSale {
  references: readonly string[];
  /**
   * References whose running lots may hold credits of this sale together with their own. They do unless both have
   * a grant that runs: one grant is of both, and so is what was taken from it and given back.
   */
  shared?: readonly string[];
  /** Only lots that still run. */
  running: boolean;
  /** Not those that a refund revived: their month is over. */
  unrevived?: boolean;
}

/**
 * Takes credits back from the lots of one sale, up to the number they still hold, and returns how many; for 0
 * no row is written. Never takes from another lot: other purchases are not touched. Throws if the source was
 * used before.
 */
export async function reverseLots(reversal: Reversal, transaction: Transaction): Promise<number> {
  requireCredits(reversal.amount);
  const { userId, lots, amount, source, reference } = reversal;
  const { unrevived = false } = lots;
  await lockAccount(userId, transaction);
  const { at } = await bookLocked([userId], transaction);
  const [taken] = await transaction.$queryRaw<{ credits: number }[]>`
    WITH own AS (
      SELECT id, type, remaining, revived_at FROM credit_transactions
      WHERE user_id = ${userId}::uuid AND reference = ANY (${lots.references}::text[])
        AND remaining IS NOT NULL
        AND (NOT ${lots.running}::boolean OR (expires_at > ${at}::timestamptz) IS NOT FALSE)
        AND (NOT ${unrevived}::boolean OR revived_at IS NULL)
    ),
    other AS (
      SELECT id, remaining, revived_at,
        bool_or(type = 'grant' AND revived_at IS NULL) OVER (PARTITION BY reference) AS has_grant
      FROM credit_transactions
      WHERE user_id = ${userId}::uuid AND reference = ANY (${lots.shared ?? []}::text[])
        AND remaining IS NOT NULL AND expires_at > ${at}::timestamptz
        AND (NOT ${unrevived}::boolean OR revived_at IS NULL)
    ),
    of_sale AS (
      SELECT id, remaining, revived_at FROM own
      UNION ALL
      SELECT id, remaining, revived_at FROM other WHERE NOT (
        has_grant AND EXISTS (SELECT 1 FROM own WHERE type = 'grant' AND revived_at IS NULL)
      )
    ),
    held AS (
      SELECT id, remaining,
        sum(remaining) OVER (ORDER BY revived_at IS NOT NULL, id ROWS UNBOUNDED PRECEDING) AS up_to
      FROM of_sale
    ),
    portion AS (
      SELECT id AS lot_id, least(remaining, ${amount}::int - (up_to - remaining))::int AS credits
      FROM held WHERE remaining > 0 AND up_to - remaining < ${amount}::int
    ),
    total AS (SELECT coalesce(sum(credits), 0)::int AS credits FROM portion),
    reversal AS (
      INSERT INTO credit_transactions (user_id, type, amount, balance_after, source, reference)
      SELECT user_id, 'reversal', -credits, balance - credits, ${source}, ${reference}
      FROM credit_accounts, total WHERE user_id = ${userId}::uuid AND credits > 0
      RETURNING id, user_id, balance_after
    ),
    emptied AS (
      UPDATE credit_transactions lot SET remaining = lot.remaining - portion.credits
      FROM portion, reversal WHERE lot.id = portion.lot_id
    ),
    allocated AS (
      INSERT INTO credit_allocations (transaction_id, lot_id, amount)
      SELECT reversal.id, lot_id, -credits FROM portion, reversal
    ),
    charged AS (
      UPDATE credit_accounts account SET balance = reversal.balance_after, next_expiry_at = (
        SELECT min(expires_at) FROM credit_transactions lot LEFT JOIN portion ON lot_id = lot.id
        WHERE lot.user_id = account.user_id AND expires_at > ${at}::timestamptz
          AND remaining > coalesce(portion.credits, 0)
      )
      FROM reversal WHERE account.user_id = reversal.user_id
    )
    SELECT credits FROM total`;
  return taken?.credits ?? 0;
}
