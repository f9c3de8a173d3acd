import { type DatabaseOrTransaction, getDb } from "~/db.server";

/** The scheduled jobs whose runs are kept. */
export type JobName = "subscription-credits" | "maintenance";

/** What a run did, and what of it failed, by name. */
export interface JobOutcome {
  counts: Record<string, number>;
  failed: string[];
}

/**
 * Runs a job and keeps when it began, how it ended and what it did. One whose process dies keeps its
 * beginning alone.
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

/** The daily job may be late by its own time and a retry; after so many hours a day was left out. */
const OVERDUE_HOURS = 26;

export interface GrantsJobHealth {
  /** When the daily grants last ran without a fault; null where there is no run on record. */
  lastSuccessAt: Date | null;
  /** Nothing has succeeded for 26 hours, with somebody subscribed for as long. */
  overdue: boolean;
}

/** How the daily job is doing, by the database's clock. */
export async function getGrantsJobHealth(
  db: DatabaseOrTransaction = getDb(),
): Promise<GrantsJobHealth> {
  const job: JobName = "subscription-credits";
  const [health] = await db.$queryRaw<GrantsJobHealth[]>`
    WITH last AS (
      SELECT max(finished_at) AS at FROM job_runs
      WHERE job = ${job} AND ok AND started_at > now() - interval '90 days'
    ),
    since AS (SELECT now() - make_interval(hours => ${OVERDUE_HOURS}) AS at)
    SELECT last.at AS "lastSuccessAt", (last.at > since.at) IS NOT TRUE AND EXISTS (
        SELECT 1 FROM subscriptions
        WHERE status IN ('active', 'trialing') AND created_at <= since.at
      ) AS overdue
    FROM last, since`;
  if (!health) throw new Error("an aggregate gave no row");
  return health;
}
