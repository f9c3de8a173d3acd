import {
  type DatabaseOrTransaction,
  type DatabaseTime,
  getDb,
  isOutsideTransaction,
  type Transaction,
} from "~/db.server";
import { requireCredits } from "~/models/credits/amount";
import { bookLocked } from "~/models/credits/expiries.server";
import { type DuplicateSource, getTransactionBySource } from "~/models/credits/transactions.server";

interface Refund {
  /** The source of the spend. The refund's own source is this plus `:refund`. */
  source: string;
  /** Credits, at most the amount spent; the full amount if left out. */
  amount?: number;
  description?: string;
}

export type RefundResult =
  /** `balance` is spendable after the refund; `lots` lists the credits returned to each lot. */
  | {
      status: "refunded";
      transactionId: string;
      balance: number;
      lots: { lotId: string; amount: number }[];
    }
  /** No spend has this source. */
  | { status: "not_found" }
  | DuplicateSource;

/**
 * Refunds a spend, once, into the lots it came from. A partial refund goes to the lots that burn last,
 * as if less had been spent. If a lot is over, its remaining credits are booked as expired first, and
 * its refunded credits can then be spent for 24 more hours. This happens once for each lot: otherwise a
 * refused prompt in flight over each expiry would keep a month's credits alive without end. Credits
 * refunded into a lot that is over again expire at once. Throws RangeError for more than was spent.
 */
export async function refundSpend(
  refund: Refund,
  db: DatabaseOrTransaction = getDb(),
): Promise<RefundResult> {
  if (!isOutsideTransaction(db)) return refundLocked(refund, db);
  return db.$transaction((transaction) => refundLocked(refund, transaction));
}

async function refundLocked(refund: Refund, transaction: Transaction): Promise<RefundResult> {
  const spend = await lockSpend(refund.source, transaction);
  if (!spend) return { status: "not_found" };
  const amount = refund.amount ?? spend.amount;
  requireCredits(amount);
  if (amount > spend.amount) throw new RangeError(`${amount} is more than ${refund.source} took`);

  const { at } = await bookLocked([spend.userId], transaction);
  const source = `${refund.source}:refund`;
  const portions = await giveBack(spend, { ...refund, source, amount, at }, transaction);
  const [first] = portions;
  if (first) {
    const { transactionId } = first;
    const balance = await bookReturned(portions, spend.userId, first.balance, transaction);
    const lots = portions.map(({ lotId, amount }) => ({ lotId, amount }));
    return { status: "refunded", transactionId, balance, lots };
  }
  const earlier = await getTransactionBySource(source, transaction);
  if (!earlier) throw new Error("credit_transactions: a source is neither free nor used");
  return { status: "duplicate", transaction: earlier };
}

interface Spend {
  id: bigint;
  userId: string;
  /** Credits, above zero. */
  amount: number;
}

/** Finds the spend, which never changes, and locks its account in a separate statement. */
async function lockSpend(source: string, transaction: Transaction) {
  const [spend] = await transaction.$queryRaw<Spend[]>`
    SELECT id, user_id AS "userId", -amount AS amount
    FROM credit_transactions JOIN credit_accounts account USING (user_id)
    WHERE source = ${source} AND type = 'deduction'
    FOR UPDATE OF account`;
  return spend ?? null;
}

interface Portion {
  transactionId: string;
  balance: number;
  lotId: string;
  amount: number;
  /** Whether the lot is over, because an earlier refund revived it already. */
  isOver: boolean;
}

/** Books what was refunded into lots that are over, and returns the balance after it. */
async function bookReturned(
  portions: Portion[],
  userId: string,
  balance: number,
  transaction: Transaction,
): Promise<number> {
  if (!portions.some(({ isOver }) => isOver)) return balance;
  const { credits } = await bookLocked([userId], transaction);
  return balance - credits;
}

/** Returns one row per lot; none, with nothing changed, if the source was used before. */
function giveBack(
  spend: Spend,
  { source, amount, description, at }: Refund & { amount: number; at: DatabaseTime },
  transaction: Transaction,
): Promise<Portion[]> {
  return transaction.$queryRaw`
    WITH burned AS (
      SELECT lot.id, -allocation.amount AS amount,
        sum(-allocation.amount) OVER (ORDER BY lot.expires_at DESC, lot.id DESC) AS running
      FROM credit_allocations allocation JOIN credit_transactions lot ON lot.id = lot_id
      WHERE transaction_id = ${spend.id}
    ),
    portion AS (
      SELECT id AS lot_id, least(amount, ${amount}::int - (running - amount)) AS amount
      FROM burned WHERE running - amount < ${amount}::int
    ),
    refund AS (
      INSERT INTO credit_transactions (user_id, type, amount, balance_after, source, description)
      SELECT user_id, 'refund', ${amount}::int, balance + ${amount}::int,
        ${source}, ${description ?? null}
      FROM credit_accounts WHERE user_id = ${spend.userId}::uuid
      ON CONFLICT (source) DO NOTHING
      RETURNING id, user_id, balance_after
    ),
    filled AS (
      UPDATE credit_transactions lot SET remaining = lot.remaining + portion.amount,
        expires_at = CASE WHEN lot.expires_at <= ${at}::timestamptz AND lot.revived_at IS NULL
          THEN ${at}::timestamptz + interval '24 hours' ELSE lot.expires_at END,
        revived_at = CASE WHEN lot.expires_at <= ${at}::timestamptz AND lot.revived_at IS NULL
          THEN ${at}::timestamptz ELSE lot.revived_at END
      FROM portion, refund WHERE lot.id = portion.lot_id
      RETURNING lot_id, portion.amount, lot.expires_at
    ),
    allocated AS (
      INSERT INTO credit_allocations (transaction_id, lot_id, amount)
      SELECT refund.id, lot_id, portion.amount FROM portion, refund
    ),
    credited AS (
      UPDATE credit_accounts account SET balance = refund.balance_after,
        next_expiry_at = least(next_expiry_at, (SELECT min(expires_at) FROM filled))
      FROM refund WHERE account.user_id = refund.user_id
    )
    SELECT refund.id::text AS "transactionId", balance_after AS balance,
      lot_id::text AS "lotId", filled.amount::int AS amount,
      (filled.expires_at <= ${at}::timestamptz) IS TRUE AS "isOver"
    FROM refund, filled ORDER BY filled.expires_at, lot_id`;
}
