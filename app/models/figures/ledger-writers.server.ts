import { setTimeout as wait } from "node:timers/promises";
import type { Database } from "~/db.server";

const LOOK_EVERY_MS = 50;

/**
 * Whether the ledger can get no more rows of the time before `end`: it is over, and everyone who was writing then has
 * committed or failed. A row has the time at which it was written, and is seen once its transaction commits: A writes a
 * second before midnight, B sums the day a second after it, A commits. Waits up to `patience` milliseconds for the
 * writers of now; whoever begins later writes later rows. Blocks nobody.
 */
export async function isLedgerClosed(
  { end, patience }: { end: Date; patience: number },
  db: Database,
): Promise<boolean> {
  const [clock] = await db.$queryRaw<{ isOver: boolean }[]>`
    SELECT clock_timestamp() >= ${end}::timestamptz AS "isOver"`;
  if (!clock?.isOver) return false;
  const until = performance.now() + patience;
  let writers = await listWriters(db);
  while (writers.length > 0) {
    if (performance.now() > until) return false;
    await wait(LOOK_EVERY_MS);
    const still = await listWriters(db);
    writers = writers.filter((writer) => still.includes(writer));
  }
  return true;
}

/** The transactions that have begun to write rows: each holds its lock on the table until it ends. */
async function listWriters(db: Database): Promise<string[]> {
  const rows = await db.$queryRaw<{ writer: string }[]>`
    SELECT DISTINCT virtualtransaction AS writer FROM pg_locks
    WHERE locktype = 'relation' AND relation = 'credit_transactions'::regclass
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
      AND mode = 'RowExclusiveLock' AND granted`;
  return rows.map(({ writer }) => writer);
}
