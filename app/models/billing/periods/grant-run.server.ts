import {
  type Database,
  type DatabaseOrTransaction,
  type DatabaseTime,
  getDb,
  type Transaction,
} from "~/db.server";
import { DUE, type IssuedGrants, issueDueGrants } from "~/models/billing/periods/grants.server";
import { log } from "~/utils/logger.server";

const SUBSCRIPTIONS_PER_BATCH = 1000;

export interface GrantRun {
  grants: number;
  /** Number of subscriptions that were granted credits. */
  subscriptions: number;
  credits: number;
  /** Number of subscriptions still due: over the limit, locked by another run, or failed. */
  remaining: number;
  /** Ids of subscriptions whose grant failed; the log has the reason. */
  failed: string[];
}

/**
 * Issues all due grants, to at most `limit` subscriptions. Each batch is a short transaction that skips
 * rows locked by others. So parallel runs share the work, a crash loses at most one batch, and webhooks
 * wait for none. Failures are skipped and reported, however many there are, so that none stands in the
 * way of those behind it.
 */
export async function runDueGrants(
  { limit = Number.POSITIVE_INFINITY }: { limit?: number } = {},
  db: Database = getDb(),
): Promise<GrantRun> {
  const run = { grants: 0, subscriptions: 0, credits: 0, failed: [] as string[] };
  // Subscriptions that failed, or that are further behind than one run catches up. Only these are
  // remembered, so memory does not grow with the number of grants.
  const settled = new Set<string>();
  let place = HEAD;
  let before = 0;
  while (run.subscriptions < limit) {
    const most = Math.min(SUBSCRIPTIONS_PER_BATCH, limit - run.subscriptions);
    const batch = await issueBatch({ most, place, settled }, db);
    if (batch) {
      run.grants += batch.grants;
      run.credits += batch.credits;
      run.subscriptions += batch.subscriptions;
      run.failed.push(...batch.failed);
      for (const id of [...batch.stillDue, ...batch.failed]) settled.add(id);
      place = placeAfter(batch.seen, place, settled);
      continue;
    }
    // End of the queue. Rows that were locked, or became due behind us, may be left. Start over from
    // the head while a pass still grants something.
    const remaining = await countDue(db);
    if (remaining <= settled.size || run.subscriptions === before) return { ...run, remaining };
    before = run.subscriptions;
    place = HEAD;
  }
  return { ...run, remaining: await countDue(db) };
}

/** A run's position in the queue, which is ordered by boundary. */
interface Place {
  boundary: DatabaseTime;
  /** Ids of subscriptions at this exact boundary that were seen and are still due. */
  passed: string[];
}

const HEAD: Place = { boundary: "-infinity", passed: [] };

/**
 * The next batch begins where this one ended. The index keeps entries for rows granted in this run
 * until it is vacuumed, and a search from the head would scan all of them each time.
 */
function placeAfter(seen: Due[], place: Place, settled: Set<string>): Place {
  const boundary = seen.at(-1)?.boundary ?? place.boundary;
  const passed = seen.filter((due) => due.boundary === boundary && settled.has(due.id));
  const before = boundary === place.boundary ? place.passed : [];
  return { boundary, passed: [...before, ...passed.map(({ id }) => id)] };
}

interface Due {
  id: string;
  boundary: DatabaseTime;
}

interface Batch extends IssuedGrants {
  failed: string[];
  seen: Due[];
}

/** Issues the next batch from this place on; null at the end of the queue. */
async function issueBatch(
  { most, place, settled }: { most: number; place: Place; settled: Set<string> },
  db: Database,
): Promise<Batch | null> {
  let seen: Due[] = [];
  const listOpen = () => seen.map(({ id }) => id).filter((id) => !settled.has(id));
  try {
    return await byIndexes(db, async (transaction) => {
      seen = await lockDue({ most, place }, transaction);
      if (seen.length === 0) return null;
      return { ...(await issueDueGrants(listOpen(), transaction)), seen, failed: [] };
    });
  } catch (error) {
    // Even reading the queue failed, so the database is at fault, not a subscription.
    if (seen.length === 0) throw error;
    return { ...(await issueOneByOne(listOpen(), db)), seen };
  }
}

/** Retries a failed batch one subscription at a time, so that a faulty one does not hold up the others. */
async function issueOneByOne(ids: string[], db: Database): Promise<Omit<Batch, "seen">> {
  const batch: Omit<Batch, "seen"> = {
    grants: 0,
    credits: 0,
    subscriptions: 0,
    stillDue: [],
    failed: [],
  };
  for (const id of ids) {
    try {
      const issued = await byIndexes(db, async (transaction) =>
        issueDueGrants(await lockIfDue(id, transaction), transaction),
      );
      batch.grants += issued.grants;
      batch.credits += issued.credits;
      batch.subscriptions += issued.subscriptions;
      batch.stillDue.push(...issued.stillDue);
    } catch (error) {
      batch.failed.push(id);
      logFailure(error, id);
    }
  }
  return batch;
}

/**
 * Runs a transaction with planner settings that make its statements use indexes. With outdated
 * statistics, or assuming a cold disk, the planner would read a whole table for each batch.
 */
function byIndexes<T>(db: Database, work: (transaction: Transaction) => Promise<T>): Promise<T> {
  const timeout = 30_000;
  return db.$transaction(
    async (transaction) => {
      await transaction.$executeRaw`SET LOCAL enable_seqscan = off`;
      return work(transaction);
    },
    { timeout },
  );
}

/** Locks the subscriptions with the oldest boundaries, in the order of the index. */
function lockDue(
  { most, place }: { most: number; place: Place },
  transaction: Transaction,
): Promise<Due[]> {
  return transaction.$queryRaw`
    SELECT id, next_grant_at::text AS boundary FROM subscriptions
    WHERE ${DUE} AND next_grant_at >= ${place.boundary}::timestamptz
      AND id <> ALL (${place.passed}::uuid[])
    ORDER BY next_grant_at LIMIT ${most} FOR UPDATE SKIP LOCKED`;
}

async function lockIfDue(id: string, transaction: Transaction): Promise<string[]> {
  const rows = await transaction.$queryRaw<unknown[]>`
    SELECT 1 AS locked FROM subscriptions WHERE id = ${id}::uuid AND ${DUE}
    FOR UPDATE SKIP LOCKED`;
  return rows.length === 1 ? [id] : [];
}

function countDue(db: Database): Promise<number> {
  return byIndexes(db, async (transaction) => {
    const [row] = await transaction.$queryRaw<{ due: number }[]>`
      SELECT count(*)::int AS due FROM subscriptions WHERE ${DUE}`;
    return row?.due ?? 0;
  });
}

/**
 * Issues one user's due grants when a spend falls short, so that nobody waits from the boundary's hour
 * to the daily run. Returns the credits granted. A grant that fails is logged and left to the daily run:
 * the user has the credits that they have. An estimate, which undoes them, logs nothing: nobody is to be called for it.
 */
export async function issueGrantsOf(
  userId: string,
  db: DatabaseOrTransaction = getDb(),
  onFailure: OnFailure = logFailure,
): Promise<number> {
  return db.$transaction(async (transaction) => {
    const due = await transaction.$queryRaw<{ id: string }[]>`
      SELECT id FROM subscriptions WHERE user_id = ${userId}::uuid AND ${DUE} ORDER BY id FOR UPDATE`;
    let credits = 0;
    for (const { id } of due) credits += await tryGrants(id, transaction, onFailure);
    return credits;
  });
}

/**
 * Issues the due grants of a subscription that an earlier statement has locked, and returns the credits
 * granted. A failure is logged and changes nothing: the daily run tries again.
 */
export async function tryGrants(
  id: string,
  transaction: Transaction,
  onFailure: OnFailure = logFailure,
): Promise<number> {
  try {
    const issued = await transaction.$transaction((savepoint) => issueDueGrants([id], savepoint));
    return issued.credits;
  } catch (error) {
    onFailure(error, id);
    return 0;
  }
}

type OnFailure = (error: unknown, subscriptionId: string) => void;

function logFailure(error: unknown, subscriptionId: string): void {
  log().error({ err: error, subscriptionId }, "a subscription's grant failed");
}
