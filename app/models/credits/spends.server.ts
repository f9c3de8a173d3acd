import {
  type DatabaseOrTransaction,
  type DatabaseTime,
  getDb,
  isOutsideTransaction,
  queryPrepared,
  type Transaction,
} from "~/db.server";
import { Prisma } from "~/generated/prisma/client";
import { lockAccount } from "~/models/credits/accounts.server";
import { requireCredits } from "~/models/credits/amount";
import { getBalance } from "~/models/credits/balance.server";
import { bookLocked } from "~/models/credits/expiries.server";
import {
  type CreditEntry,
  type DuplicateSource,
  getTransactionBySource,
} from "~/models/credits/transactions.server";
import { createKeyedQueue, type KeyedQueue } from "~/utils/keyed-queue";

interface Spend extends CreditEntry {
  userId: string;
  /** Credits, from 1. */
  amount: number;
  /** A row that is written with the spend, both or neither. */
  attachedRow?: AttachedRow;
}

/** A row inserted in the statement of a spend. Its SQL texts must be constant: the statement is prepared. */
export interface AttachedRow {
  /** The name of the prepared statement with this step. */
  name: string;
  /** SQL condition on what was committed before the statement; if it is false, nothing is taken. */
  condition: Prisma.Sql;
  /** SQL step in the statement's `WITH`, with a leading comma, which selects from the step `movement`: one row if the credits are taken. */
  step: Prisma.Sql;
}

export type SpendResult =
  /** `balance` is spendable after the spend. */
  | { status: "spent"; transactionId: string; balance: number }
  /**
   * `balance` is spendable and less than `required`, or the attached row's condition is false; nothing was
   * changed.
   */
  | { status: "insufficient"; required: number; balance: number }
  | DuplicateSource;

/**
 * Takes credits from the user's lots in burn order (earliest expiry first, never-expiring last, then
 * oldest), all or nothing. A source that was used before takes nothing again. Needs one round trip,
 * unless another writer was faster, an expiry is due, or the credits do not suffice.
 */
export async function spendCredits(
  spend: Spend,
  db: DatabaseOrTransaction = getDb(),
): Promise<SpendResult> {
  return takeCredits({ ...spend, type: "deduction" }, db);
}

/** `spendCredits` for every kind of row that takes in burn order. */
export async function takeCredits(
  taking: Taking,
  db: DatabaseOrTransaction = getDb(),
): Promise<SpendResult> {
  requireCredits(taking.amount);
  const take = async () => {
    const taken = await takeIfUnchanged(taking, db);
    if (taken) return { status: "spent" as const, ...taken };
    return db.$transaction((transaction) => takeLocked(taking, transaction));
  };
  // A transaction holds locks and must not wait for the queue: its head may be waiting for them.
  return isOutsideTransaction(db) ? queueOf(db)(taking.userId, take) : take();
}

const queues = new WeakMap<DatabaseOrTransaction, KeyedQueue>();

/**
 * One user's spends and extensions through one client take turns, so that each finds the account unchanged, and none
 * holds a connection while it waits for the same lock. That is only for speed: those of other clients and processes meet
 * at the lock. Never from within a transaction.
 */
export function queueOf(db: DatabaseOrTransaction): KeyedQueue {
  const queue = queues.get(db) ?? createKeyedQueue();
  queues.set(db, queue);
  return queue;
}

/** Slow path: locks the account first, so the result is definitive. */
async function takeLocked(taking: Taking, transaction: Transaction): Promise<SpendResult> {
  const { userId, amount, source } = taking;
  if (!(await lockAccount(userId, transaction))) {
    return { status: "insufficient", required: amount, balance: 0 };
  }
  const { at } = await bookLocked([userId], transaction);
  const taken = await takeIfUnchanged({ ...taking, at }, transaction);
  if (taken) return { status: "spent", ...taken };
  const earlier = await getTransactionBySource(source, transaction);
  if (earlier) return { status: "duplicate", transaction: earlier };
  return {
    status: "insufficient",
    required: amount,
    balance: await getBalance(userId, transaction),
  };
}

interface Taking extends Spend {
  type: "deduction" | "adjustment";
}

/**
 * Takes the credits in one statement, as of `at` or now. Returns null, with nothing changed, if the
 * slow path is needed.
 *
 * The race: A reads the lots, B spends them and commits, A gets the lock and would spend the same lots
 * again. Every writer of lots also updates the account, so the account's row version proves whether the
 * lots are current (`xmin` is the transaction that wrote the version). A takes only if the row still
 * has the `xmin` it read at first. After a wait PostgreSQL rechecks the conditions on the newest row,
 * but a sub-select keeps its first result, so a changed row does not match.
 *
 * The next expiry is that of the one lot in which the burning stops. Aggregates over the lots would give
 * the same, and take a tenth of the statement's time.
 */
export async function takeIfUnchanged(
  {
    userId,
    type,
    amount,
    source,
    reference,
    description,
    attachedRow,
    at,
  }: Taking & { at?: DatabaseTime },
  db: DatabaseOrTransaction,
): Promise<{ transactionId: string; balance: number } | null> {
  const { name, condition, step } = attachedRow ?? ALONE;
  const statement = Prisma.sql`
    -- Nothing selects from the first step, so it never runs. It gives the values their numbers, $1 to $7.
    WITH given AS (
      SELECT ${userId}::uuid, ${amount}::int, ${at ?? null}::timestamptz,
        ${type}::credit_transaction_type, ${source}::text, ${reference ?? null}::text,
        ${description ?? null}::text
    ),
    lots AS (
      SELECT id, remaining, expires_at,
        sum(remaining) OVER (ORDER BY expires_at, id ROWS UNBOUNDED PRECEDING) AS running
      FROM credit_transactions
      WHERE user_id = $1 AND remaining > 0
        AND (expires_at > coalesce($3, statement_timestamp())) IS NOT FALSE
    ),
    account AS (
      SELECT user_id, balance FROM credit_accounts
      WHERE user_id = $1 AND balance >= $2
        AND xmin = (SELECT xmin FROM credit_accounts WHERE user_id = $1)
        AND (next_expiry_at > coalesce($3, statement_timestamp())) IS NOT FALSE
        AND EXISTS (SELECT 1 FROM lots WHERE running >= $2) AND ${condition}
      FOR UPDATE
    ),
    movement AS (
      INSERT INTO credit_transactions
        (user_id, type, amount, balance_after, source, reference, description)
      SELECT user_id, $4, -$2, balance - $2, $5, $6, $7 FROM account
      ON CONFLICT (source) DO NOTHING
      RETURNING id, user_id, balance_after
    ),
    charged AS (
      UPDATE credit_accounts account SET balance = movement.balance_after,
        next_expiry_at = (
          SELECT expires_at FROM lots WHERE running > $2 AND running - remaining <= $2)
      FROM movement WHERE account.user_id = movement.user_id
    ),
    burned AS (
      SELECT id, least(remaining, $2 - (running - remaining)) AS amount
      FROM lots WHERE running - remaining < $2
    ),
    emptied AS (
      UPDATE credit_transactions lot SET remaining = lot.remaining - burned.amount
      FROM burned, movement WHERE lot.id = burned.id
    ),
    allocated AS (
      INSERT INTO credit_allocations (transaction_id, lot_id, amount)
      SELECT movement.id, burned.id, -burned.amount FROM movement, burned
    )${step}
    SELECT id::text AS "transactionId", balance_after AS balance FROM movement`;
  const [taken] = await queryPrepared<{ transactionId: string; balance: number }>(
    name,
    statement,
    db,
  );
  return taken ?? null;
}

const ALONE: AttachedRow = {
  name: "take_credits",
  condition: Prisma.sql`true`,
  step: Prisma.empty,
};
