import { type DatabaseOrTransaction, getDb, queryPrepared } from "~/db.server";
import { Prisma } from "~/generated/prisma/client";

/** Scheduled jobs whose runs are recorded. */
export type JobName = "subscription-credits" | "maintenance";

/** Counts of a run's work, and the names of the tasks that failed. */
export interface JobOutcome {
  counts: Record<string, number>;
  failed: string[];
}

/**
 * Runs a job and records its start, end, result and counts. If the process dies, only the start is on
 * record.
 */
export async function recordRun<Outcome extends JobOutcome>(
  job: JobName,
  run: () => Promise<Outcome>,
  db: DatabaseOrTransaction = getDb(),
): Promise<Outcome> {
  const { id } = await db.jobRun.create({ data: { job }, select: { id: true } });
  let outcome: Outcome | null = null;
  try {
    outcome = await run();
    return outcome;
  } finally {
    await db.$executeRaw`
      UPDATE job_runs SET finished_at = clock_timestamp(), ok = ${outcome?.failed.length === 0},
        counts = ${JSON.stringify(outcome?.counts ?? null)}::jsonb
      WHERE id = ${id}::uuid`;
  }
}

/** The daily job may be late by its own duration and a retry; after this many hours a day was missed. */
const OVERDUE_HOURS = 26;

export interface GrantsJobHealth {
  /** When the daily grants last ran without a fault; null if no run is on record. */
  lastSuccessAt: Date | null;
  /** No run has succeeded for 26 hours, and somebody has been subscribed for that long. */
  overdue: boolean;
}

/** The daily job's health, by the database's clock. */
export async function getGrantsJobHealth(
  db: DatabaseOrTransaction = getDb(),
): Promise<GrantsJobHealth> {
  const job: JobName = "subscription-credits";
  const [health] = await queryPrepared<GrantsJobHealth>(
    "grants_job_health",
    Prisma.sql`
    WITH last AS (
      SELECT max(finished_at) AS at FROM job_runs
      WHERE job = ${job} AND ok AND started_at > now() - interval '90 days'
    ),
    since AS (SELECT now() - make_interval(hours => ${OVERDUE_HOURS}) AS at)
    SELECT last.at AS "lastSuccessAt", (last.at > since.at) IS NOT TRUE AND EXISTS (
        SELECT 1 FROM subscriptions
        WHERE status IN ('active', 'trialing') AND created_at <= since.at
      ) AS overdue
    FROM last, since`,
    db,
  );
  if (!health) throw new Error("an aggregate gave no row");
  return health;
}
