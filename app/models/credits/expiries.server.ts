import {
  type Database,
  type DatabaseOrTransaction,
  type DatabaseTime,
  getDb,
  type Transaction,
} from "~/db.server";
import { lockAccount } from "~/models/credits/accounts.server";
import { log } from "~/utils/logger.server";

export interface BookedExpiries {
  /** Lots whose time was over. */
  lots: number;
  /** What was left in them, in credits. */
  credits: number;
}

/** Books every lot of the user's whose time is over: what is left of it leaves the balance. */
export async function bookExpiries(
  userId: string,
  db: DatabaseOrTransaction = getDb(),
): Promise<BookedExpiries> {
  return db.$transaction(async (transaction) => {
    if (!(await lockAccount(userId, transaction))) return { lots: 0, credits: 0 };
    const { lots, credits } = await bookLocked([userId], transaction);
    return { lots, credits };
  });
}

const ACCOUNTS_PER_BATCH = 200;

/**
 * Books what is over for up to `limit` accounts, the longest overdue first. An account that somebody
 * is at work on is passed over: its next spend books it, or the next run. Each batch is a transaction
 * of its own, so that nobody waits for more than one. Throws at the end if any could not be booked.
 */
export async function bookDueExpiries(
  { limit }: { limit: number },
  db: Database = getDb(),
): Promise<BookedExpiries & { accounts: number }> {
  const total = { accounts: 0, lots: 0, credits: 0 };
  const failed: string[] = [];
  while (total.accounts < limit) {
    const most = Math.min(ACCOUNTS_PER_BATCH, limit - total.accounts);
    const batch = await bookBatch({ most, without: failed }, db);
    if (batch.accounts === 0) break;
    total.accounts += batch.accounts;
    total.lots += batch.lots;
    total.credits += batch.credits;
    failed.push(...batch.failed);
  }
  if (failed.length > 0) throw new Error(`expiries not booked for user ${failed.join(", ")}`);
  return total;
}

interface Batch extends BookedExpiries {
  /** Accounts that were tried. */
  accounts: number;
  /** Ids of their users that could not be booked. */
  failed: string[];
}

async function bookBatch(due: { most: number; without: string[] }, db: Database): Promise<Batch> {
  let userIds: string[] = [];
  try {
    return await db.$transaction(async (transaction) => {
      userIds = await lockDueAccounts(due, transaction);
      const { lots, credits } = await bookLocked(userIds, transaction);
      return { accounts: userIds.length, lots, credits, failed: [] };
    });
  } catch (error) {
    // Not even found: the database, and no account, is at fault.
    if (userIds.length === 0) throw error;
    return bookOneByOne(userIds, db);
  }
}

/** A batch that failed as a whole, so that the one at fault holds up no other. */
async function bookOneByOne(userIds: string[], db: Database): Promise<Batch> {
  const batch: Batch = { accounts: userIds.length, lots: 0, credits: 0, failed: [] };
  for (const userId of userIds) {
    try {
      const { lots, credits } = await bookExpiries(userId, db);
      batch.lots += lots;
      batch.credits += credits;
    } catch (error) {
      batch.failed.push(userId);
      log().error({ err: error, userId }, "a user's expiries could not be booked");
    }
  }
  return batch;
}

async function lockDueAccounts(
  { most, without }: { most: number; without: string[] },
  transaction: Transaction,
) {
  const rows = await transaction.$queryRaw<{ userId: string }[]>`
    SELECT user_id AS "userId" FROM credit_accounts
    WHERE user_id IN (
      SELECT user_id FROM credit_transactions
      WHERE remaining > 0 AND expires_at <= statement_timestamp()
        AND user_id <> ALL (${without}::uuid[])
      ORDER BY expires_at LIMIT ${most}
    )
    ORDER BY user_id FOR UPDATE OF credit_accounts SKIP LOCKED`;
  return rows.map(({ userId }) => userId);
}

/**
 * The booking itself, for accounts that an earlier statement of the transaction has locked. `at` is
 * the instant up to which nothing is left to book; whatever the transaction does next is done as of it.
 *
 * The ledger's clock is `statement_timestamp()`: `now()` stands still from a transaction's beginning,
 * and after a wait a lot that somebody else has booked as expired would look as if it were not.
 *
 * A lot that a refund revived can expire again, so the source counts the times. `next_expiry_at` is
 * worked out anew wherever it is past, even with nothing due: a wrong one stops no account for good.
 */
export async function bookLocked(
  userIds: string[],
  transaction: Transaction,
): Promise<BookedExpiries & { at: DatabaseTime }> {
  const [booked] = await transaction.$queryRaw<(BookedExpiries & { at: DatabaseTime })[]>`
    WITH due AS (
      SELECT lot.id, user_id, lot.expires_at, lot.remaining,
        account.balance - sum(lot.remaining)
          OVER (PARTITION BY user_id ORDER BY lot.expires_at, lot.id) AS balance_after,
        format('expiry:%s:%s', lot.id, 1 + (
          SELECT count(*)
          FROM credit_allocations JOIN credit_transactions past ON past.id = transaction_id
          WHERE lot_id = lot.id AND past.type = 'expiry'
        )) AS source
      FROM credit_transactions lot JOIN credit_accounts account USING (user_id)
      WHERE user_id = ANY (${userIds}::uuid[])
        AND lot.remaining > 0 AND lot.expires_at <= statement_timestamp()
    ),
    expiry AS (
      INSERT INTO credit_transactions (user_id, type, amount, balance_after, source)
      SELECT user_id, 'expiry', -remaining, balance_after, source
      FROM due ORDER BY user_id, expires_at, id
      RETURNING id, source
    ),
    allocated AS (
      INSERT INTO credit_allocations (transaction_id, lot_id, amount)
      SELECT expiry.id, due.id, -due.remaining FROM due JOIN expiry USING (source)
    ),
    emptied AS (
      UPDATE credit_transactions lot SET remaining = 0 FROM due WHERE lot.id = due.id
    ),
    lost AS (
      SELECT user_id, sum(remaining) AS credits FROM due GROUP BY user_id
    ),
    charged AS (
      UPDATE credit_accounts account
      SET balance = balance - coalesce(credits, 0), next_expiry_at = (
        SELECT min(expires_at) FROM credit_transactions lot
        WHERE lot.user_id = account.user_id AND remaining > 0 AND expires_at > statement_timestamp()
      )
      FROM unnest(${userIds}::uuid[]) AS locked (user_id) LEFT JOIN lost USING (user_id)
      WHERE account.user_id = locked.user_id
        AND (credits IS NOT NULL OR next_expiry_at <= statement_timestamp())
    )
    SELECT count(*)::int AS lots, coalesce(sum(remaining), 0)::int AS credits,
      statement_timestamp()::text AS at
    FROM due`;
  if (!booked) throw new Error("an aggregate gave no row");
  return booked;
}
