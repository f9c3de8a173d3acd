import { type Database, type DatabaseOrTransaction, getDb } from "~/db.server";
import { DUE, type IssuedGrants, issueDueGrants } from "~/models/subscription-grants.server";
import { log } from "~/utils/logger.server";

const SUBSCRIPTIONS_PER_BATCH = 500;
/** Subscriptions that may fail in one run before it gives up: what fails so often is not theirs. */
const MAX_FAILED = 100;

export interface GrantRun {
  grants: number;
  /** Subscriptions that got any. */
  subscriptions: number;
  credits: number;
  /** Subscriptions that are still due: beyond the limit, in another run's hands, or failed. */
  remaining: number;
  /** Ids of subscriptions that could not be granted; the log says why. */
  failed: string[];
}

/**
 * Issues all that is due, to at most `limit` subscriptions. Each batch is a short transaction of its
 * own and passes over what others have locked, so that parallel runs share the work, a crash loses
 * no more than a batch, and webhooks wait for none. What fails is left out and reported.
 */
export async function runDueGrants(
  { limit = Number.POSITIVE_INFINITY }: { limit?: number } = {},
  db: Database = getDb(),
): Promise<GrantRun> {
  const run = { grants: 0, subscriptions: 0, credits: 0 };
  const failed: string[] = [];
  // Those that are due again are behind by more than one run catches up.
  const settled = new Set<string>();
  while (run.subscriptions < limit && failed.length <= MAX_FAILED) {
    const most = Math.min(SUBSCRIPTIONS_PER_BATCH, limit - run.subscriptions);
    const batch = await issueBatch({ most, without: [...settled, ...failed] }, db);
    if (!batch) break;
    run.grants += batch.grants;
    run.credits += batch.credits;
    run.subscriptions += batch.subscriptionIds.length;
    for (const id of batch.stillDue) settled.add(id);
    failed.push(...batch.failed);
  }
  return { ...run, remaining: await countDue(db), failed };
}

interface Batch extends IssuedGrants {
  stillDue: string[];
  failed: string[];
}

async function issueBatch(
  { most, without }: { most: number; without: string[] },
  db: Database,
): Promise<Batch | null> {
  let ids: string[] = [];
  try {
    return await db.$transaction(async (transaction) => {
      ids = await lockDue({ most, without }, transaction);
      if (ids.length === 0) return null;
      const issued = await issueDueGrants(ids, transaction);
      return { ...issued, stillDue: await listStillDue(ids, transaction), failed: [] };
    }, TIMES);
  } catch (error) {
    // Not even found: the database, and no subscription, is at fault.
    if (ids.length === 0) throw error;
    return issueOneByOne(ids, db);
  }
}

/** A batch that failed as a whole, so that the one at fault holds up no other. */
async function issueOneByOne(ids: string[], db: Database): Promise<Batch> {
  const batch: Batch = { grants: 0, credits: 0, subscriptionIds: [], stillDue: [], failed: [] };
  for (const id of ids) {
    try {
      const { issued, stillDue } = await db.$transaction(async (transaction) => {
        const locked = await lockDue({ most: 1, only: id }, transaction);
        const issued = await issueDueGrants(locked, transaction);
        return { issued, stillDue: await listStillDue(locked, transaction) };
      });
      batch.grants += issued.grants;
      batch.credits += issued.credits;
      batch.subscriptionIds.push(...issued.subscriptionIds);
      batch.stillDue.push(...stillDue);
    } catch (error) {
      batch.failed.push(id);
      log().error({ err: error, subscriptionId: id }, "a subscription's grant failed");
    }
  }
  return batch;
}

/** Milliseconds. */
const TIMES = { timeout: 30_000 };

async function lockDue(
  { most, without = [], only = null }: { most: number; without?: string[]; only?: string | null },
  transaction: DatabaseOrTransaction,
): Promise<string[]> {
  const rows = await transaction.$queryRaw<{ id: string }[]>`
    SELECT id FROM subscriptions
    WHERE ${DUE} AND id <> ALL (${without}::uuid[]) AND (${only}::uuid IS NULL OR id = ${only}::uuid)
    ORDER BY next_grant_at LIMIT ${most} FOR UPDATE SKIP LOCKED`;
  return rows.map(({ id }) => id);
}

async function listStillDue(ids: string[], transaction: DatabaseOrTransaction): Promise<string[]> {
  const rows = await transaction.$queryRaw<{ id: string }[]>`
    SELECT id FROM subscriptions WHERE id = ANY (${ids}::uuid[]) AND ${DUE}`;
  return rows.map(({ id }) => id);
}

async function countDue(db: DatabaseOrTransaction): Promise<number> {
  const [row] = await db.$queryRaw<{ due: number }[]>`
    SELECT count(*)::int AS due FROM subscriptions WHERE ${DUE}`;
  return row?.due ?? 0;
}

/**
 * Issues what is due to one user, for a spend that fell short: nobody waits from a boundary's hour to
 * the daily run. Answers the credits that were granted.
 */
export async function issueGrantsOf(
  userId: string,
  db: DatabaseOrTransaction = getDb(),
): Promise<number> {
  return db.$transaction(async (transaction) => {
    const due = await transaction.$queryRaw<{ id: string }[]>`
      SELECT id FROM subscriptions WHERE user_id = ${userId}::uuid AND ${DUE} ORDER BY id FOR UPDATE`;
    const { credits } = await issueDueGrants(
      due.map(({ id }) => id),
      transaction,
    );
    return credits;
  });
}
