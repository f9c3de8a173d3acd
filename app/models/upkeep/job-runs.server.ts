import { type DatabaseOrTransaction, getDb, queryPrepared } from "~/db.server";
import { Prisma } from "~/generated/prisma/client";

/** Scheduled jobs whose runs are recorded. */
export type JobName = "subscription-credits" | "maintenance";

/** All work whose ends are recorded: the scheduled jobs, and what operators do to the whole database. */
export const RECORDED_WORK = ["maintenance", "subscription-credits", "backup", "restore"] as const;

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
        counts = ${JSON.stringify(outcome?.counts ?? null)}::jsonb,
        failed = ${outcome?.failed ?? []}::text[]
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

/** Maintenance runs every five minutes; after this many one or two were missed. */
const MAINTENANCE_MINUTES = 15;

export interface MaintenanceHealth {
  /** When all of its tasks last succeeded; null if no run is on record. */
  lastSuccessAt: Date | null;
  /** No run has succeeded for 15 minutes, and the database is older than that. */
  overdue: boolean;
  /** Tasks that failed in the last run that ended. */
  failedTasks: string[];
  lastRunAt: Date | null;
}

/** Whether maintenance runs, by the database's clock. */
export async function getMaintenanceHealth(
  db: DatabaseOrTransaction = getDb(),
): Promise<MaintenanceHealth> {
  const job: JobName = "maintenance";
  const [health] = await queryPrepared<MaintenanceHealth>(
    "maintenance_health",
    Prisma.sql`
    WITH success AS (
      SELECT max(finished_at) AS at FROM (
        SELECT finished_at FROM job_runs WHERE job = ${job} AND ok ORDER BY started_at DESC LIMIT 1
      ) AS newest
    ), last AS (
      SELECT max(finished_at) AS at, coalesce(max(failed), '{}') AS failed FROM (
        SELECT finished_at, failed FROM job_runs WHERE job = ${job} AND finished_at IS NOT NULL
        ORDER BY started_at DESC LIMIT 1
      ) AS newest
    )
    SELECT success.at AS "lastSuccessAt", last.at AS "lastRunAt", last.failed AS "failedTasks",
      coalesce(success.at, (SELECT min(applied_at) FROM app_migrations))
        <= now() - make_interval(mins => ${MAINTENANCE_MINUTES}::int) AS overdue
    FROM success, last`,
    db,
  );
  if (!health) throw new Error("an aggregate gave no row");
  return health;
}

/** Records that work on the whole database has ended, for `npm run status`. */
export async function recordDone(
  work: "backup" | "restore",
  db: DatabaseOrTransaction = getDb(),
): Promise<void> {
  await db.$executeRaw`
    INSERT INTO job_runs (job, finished_at, ok) VALUES (${work}, clock_timestamp(), true)`;
}
