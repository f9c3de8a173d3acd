import { setTimeout as pause } from "node:timers/promises";
import type pg from "pg";
import { MigrationError } from "./migration-error";

/** "appmigra" in ASCII; advisory locks are per database, so one constant serves every database. */
export const MIGRATION_LOCK_KEY = 7021235434292736609n;
const POLL_MS = 200;

interface LockOptions {
  /** Milliseconds; 0 tries once. */
  waitMs: number;
  /** Called once before a wait for another session that holds the lock, with a description of it. */
  onWait(holder: string): void;
}

/**
 * Takes the one-runner-per-database lock for the session. It is released when the session ends, for
 * whatever reason. Throws MigrationError `locked` after `waitMs`.
 *
 * It polls. A session waiting inside `pg_advisory_lock()` holds a snapshot, and `CREATE INDEX
 * CONCURRENTLY` in the session with the lock would wait for that snapshot: a deadlock.
 */
export async function acquireMigrationLock(client: pg.Client, options: LockOptions): Promise<void> {
  const deadline = performance.now() + options.waitMs;
  for (let attempt = 0; !(await tryLock(client)); attempt += 1) {
    const holder = await describeHolder(client);
    if (attempt === 0 && options.waitMs > 0) options.onWait(holder);
    if (performance.now() >= deadline) {
      throw new MigrationError(
        "locked",
        `another migration run holds the lock (${holder}): wait for it to end, then run again`,
      );
    }
    await pause(Math.min(POLL_MS, Math.max(1, deadline - performance.now())));
  }
}

async function tryLock(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ locked: boolean }>(
    "SELECT pg_try_advisory_lock($1) AS locked",
    [MIGRATION_LOCK_KEY],
  );
  return rows[0]?.locked === true;
}

/** The holder may have released it by now; then the next attempt succeeds. */
async function describeHolder(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ pid: number; since: string | null }>(
    `SELECT l.pid, to_char(a.backend_start AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS') AS since
     FROM pg_locks l LEFT JOIN pg_stat_activity a ON a.pid = l.pid
     WHERE l.locktype = 'advisory' AND l.granted AND l.objsubid = 1
       AND (l.classid::bigint << 32) + l.objid::bigint = $1
       AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    [MIGRATION_LOCK_KEY],
  );
  const holder = rows[0];
  if (!holder) return "it is ending now";
  return `database process ${holder.pid}${holder.since ? `, connected since ${holder.since} UTC` : ""}`;
}
