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

/** When the job last ran without a fault, and how long ago that is by the database's clock, in hours. */
export interface LastSuccess {
  at: Date;
  hoursAgo: number;
}

/** The job's last success; null where there is none on record. */
export async function getLastSuccess(
  job: JobName,
  db: DatabaseOrTransaction = getDb(),
): Promise<LastSuccess | null> {
  const [row] = await db.$queryRaw<LastSuccess[]>`
    SELECT finished_at AS at,
      (extract(epoch FROM now() - finished_at) / 3600)::float AS "hoursAgo"
    FROM job_runs WHERE job = ${job} AND ok ORDER BY started_at DESC LIMIT 1`;
  return row ?? null;
}
