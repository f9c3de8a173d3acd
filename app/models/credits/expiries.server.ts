import {
  type Database,
  type DatabaseOrTransaction,
  type DatabaseTime,
  getDb,
  type Transaction,
} from "~/db.server";
import { Prisma } from "~/generated/prisma/client";
import { lockAccount } from "~/models/credits/accounts.server";
import { log } from "~/utils/logger.server";

export interface BookedExpiries {
  /** Number of lots that were over. */
  lots: number;
  /** Credits that were left in them. */
  credits: number;
}

/** Books the expiry of each of the user's lots that are over: their remaining credits leave the balance. */
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

/** SQL: a lot that is over and whose expiry is not booked. */
export const IS_LOT_OVER = Prisma.sql`remaining > 0 AND expires_at <= statement_timestamp()`;

/**
 * Books expiries for up to `limit` accounts, longest overdue first. Skips locked accounts: the
 * account's next spend or the next run books them. Each batch is its own transaction, so that nobody
 * waits for more than one batch. Throws at the end if any could not be booked.
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
  /** Number of accounts tried. */
  accounts: number;
  /** User ids whose expiries could not be booked. */
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
    // Even finding the accounts failed, so the database is at fault, not an account.
    if (userIds.length === 0) throw error;
    return bookOneByOne(userIds, db);
  }
}

/** Retries a failed batch one account at a time, so that a faulty one does not hold up the others. */
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
      WHERE ${IS_LOT_OVER} AND user_id <> ALL (${without}::uuid[])
      ORDER BY expires_at LIMIT ${most}
    )
    ORDER BY user_id FOR UPDATE OF credit_accounts SKIP LOCKED`;
  return rows.map(({ userId }) => userId);
}

/**
 * Books expiries for accounts that an earlier statement of the transaction has locked. Returns `at`,
 * the instant up to which everything is booked; later steps of the transaction act as of it.
 *
 * The ledger's clock is `statement_timestamp()`. `now()` keeps the time the transaction began: after a
 * wait for a lock, a lot that somebody else has since booked as expired would look unexpired.
 *
 * A lot that a refund revived can expire again, so the source counts the expiries. `next_expiry_at` is
 * recomputed whenever it is past, even with nothing due, so that a wrong value cannot block an account
 * for good.
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
