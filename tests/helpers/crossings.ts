import type { Database } from "~/db.server";
import { handleCrossing } from "~/models/metering/handle-crossing.server";

/** The crossings of an account that are still there and have a job, oldest first. */
export async function crossingsWithJobs(db: Database, accountId: string): Promise<string[]> {
  const rows = await db.$queryRaw<{ id: string }[]>`
    SELECT crossings.id FROM pgboss.job job
    JOIN crossings ON crossings.id::text = job.data->>'crossingId'
    WHERE job.name = 'crossings' AND account_id = ${accountId}::uuid ORDER BY job.created_on, job.id`;
  return rows.map(({ id }) => id);
}

/** Does these jobs, and leaves them there: the engine may give a job twice. */
export async function doCrossings(db: Database, accountId: string): Promise<void> {
  for (const crossingId of await crossingsWithJobs(db, accountId))
    await db.$transaction((it) => handleCrossing({ crossingId }, it));
}
