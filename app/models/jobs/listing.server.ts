import { type DatabaseOrTransaction, getDb } from "~/db.server";
import { JOB_KINDS, JOB_NAMES } from "~/models/jobs/job-kinds";

export const JOB_STATES = [
  "created",
  "retry",
  "active",
  "completed",
  "cancelled",
  "failed",
] as const;
export type JobState = (typeof JOB_STATES)[number];

/** A job as operators see it. */
export interface StoredJob {
  id: string;
  name: string;
  state: JobState;
  /** Attempts that have begun. */
  attempts: number;
  createdAt: Date;
  /** When its next attempt may begin; null for one that runs or has ended. */
  startsAt: Date | null;
  startedAt: Date | null;
  endedAt: Date | null;
  /** Why its last attempt failed. */
  error: string | null;
  /** The ids of what it is about. */
  data: Record<string, string>;
}

interface Filter {
  name: string | null;
  state: JobState | null;
  id: string | null;
  limit: number;
}

/** The newest jobs of these kinds and states. */
export function listJobs(
  { name, state, id, limit }: Filter,
  db: DatabaseOrTransaction = getDb(),
): Promise<StoredJob[]> {
  return db.$queryRaw`
    SELECT id, name, state::text AS state, data, created_on AS "createdAt", completed_on AS "endedAt",
      started_on AS "startedAt", retry_count + (started_on IS NOT NULL)::int AS attempts,
      CASE WHEN state < 'active' THEN start_after END AS "startsAt",
      coalesce(output->>'message', output->'value'->>'message', output->>'value') AS error
    FROM pgboss.job
    WHERE (${name}::text IS NULL OR name = ${name}) AND (${state}::text IS NULL OR state::text = ${state})
      AND (${id}::uuid IS NULL OR id = ${id}::uuid)
    ORDER BY created_on DESC LIMIT ${limit}`;
}

/**
 * Has failed, cancelled and waiting jobs done now, with one more attempt if they have none left: one, or all
 * that failed. Returns how many. Those that run or were completed are left alone, and so are kinds without retries,
 * which must not be done twice.
 */
export function retryJobs(
  { id }: { id: string | null },
  db: DatabaseOrTransaction = getDb(),
): Promise<number> {
  const repeatable = JOB_NAMES.filter((name) => JOB_KINDS[name].retries > 0);
  return db.$executeRaw`
    UPDATE pgboss.job SET start_after = now(), completed_on = NULL,
      state = CASE WHEN state < 'active' THEN state ELSE 'retry' END,
      retry_limit = greatest(retry_limit, retry_count + 1)
    WHERE name = ANY (${repeatable}) AND CASE WHEN ${id}::uuid IS NULL THEN state = 'failed'
      ELSE id = ${id}::uuid AND state IN ('created', 'retry', 'cancelled', 'failed') END`;
}

/** Cancels a job that waits for its first or next attempt. Returns false if there is none. */
export async function cancelJob(id: string, db: DatabaseOrTransaction = getDb()): Promise<boolean> {
  const cancelled = await db.$executeRaw`
    UPDATE pgboss.job SET state = 'cancelled', completed_on = now()
    WHERE id = ${id}::uuid AND state IN ('created', 'retry')`;
  return cancelled === 1;
}
