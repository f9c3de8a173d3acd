import { ACTIONS } from "~/catalog";
import { type DatabaseOrTransaction, getDb } from "~/db.server";
import { Prisma } from "~/generated/prisma/client";
import { addJobs } from "~/models/jobs/add-job.server";

/** A process that dies is missed after this long. Whoever works on a run renews its lease. */
export const LEASE_SECONDS = 30;

/**
 * SQL: the run's process is gone, and the result can't be fetched or begun any more. Before its deadline that is judged of
 * own actions alone: another version, which runs beside this one, may be able to go on with a run of its own.
 */
export const IS_LOST = Prisma.sql`
  (run.status = 'reserved' AND run.lease_until <= now() AND (
    run.deadline_at <= now()
    OR (run.action = ANY (${Object.keys(ACTIONS)}::text[]) AND run.provider_request_id IS NULL
      AND NOT (run.asynchronous AND run.called_at IS NULL))))`;

/**
 * Renews the leases of runs that this process works on; never past a run's deadline. One that is just being extended or
 * ended is left out: it may wait long for its account, and the leases of all others would end meanwhile.
 */
export async function renewLeases(
  runIds: string[],
  db: DatabaseOrTransaction = getDb(),
): Promise<void> {
  await db.$executeRaw`
    UPDATE metered_runs run
    SET lease_until = least(deadline_at, now() + make_interval(secs => ${LEASE_SECONDS}::float8))
    FROM (
      SELECT id FROM metered_runs WHERE id = ANY (${runIds}::uuid[]) AND status = 'reserved'
      FOR NO KEY UPDATE SKIP LOCKED
    ) AS free
    WHERE run.id = free.id`;
}

/**
 * Lets another process go on with a run after `seconds`, and wakes one. Returns false, with nothing changed, if the
 * run has ended or nobody could go on: no provider knows it.
 */
export function releaseRun(
  { runId, seconds = 0 }: { runId: string; seconds?: number },
  db: DatabaseOrTransaction = getDb(),
): Promise<boolean> {
  return db.$transaction(async (transaction) => {
    const released = await transaction.$executeRaw`
      UPDATE metered_runs
      SET lease_until = least(deadline_at, now() + make_interval(secs => ${seconds}::float8))
      WHERE id = ${runId}::uuid AND status = 'reserved'
        AND (provider_request_id IS NOT NULL OR (asynchronous AND called_at IS NULL))`;
    if (released === 0) return false;
    await addJobs("runs", [{ data: { runId }, startAfter: seconds }], transaction);
    return true;
  });
}
