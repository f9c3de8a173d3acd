import { type DatabaseOrTransaction, getDb, type Transaction } from "~/db.server";

/** One attempt at a job. */
interface Attempt {
  name: string;
  jobId: string;
  /** Retries before this attempt. */
  retryCount: number;
}

/**
 * Whether the job is still this attempt's, and if so, keeps it so until the transaction ends. It isn't once another
 * process has it, or it was cancelled.
 */
export async function holdJob(
  { name, jobId, retryCount }: Attempt,
  transaction: Transaction,
): Promise<boolean> {
  const rows = await transaction.$queryRaw<unknown[]>`
    SELECT 1 FROM pgboss.job
    WHERE name = ${name} AND id = ${jobId}::uuid AND state = 'active' AND retry_count = ${retryCount}
    FOR UPDATE`;
  return rows.length === 1;
}

/** Gives a job back that was taken and not begun: another process does it, and this attempt doesn't count. */
export async function giveJobBack(
  { name, jobId, retryCount }: Attempt,
  db: DatabaseOrTransaction = getDb(),
): Promise<void> {
  await db.$executeRaw`
    UPDATE pgboss.job SET
      state = CASE WHEN retry_count = 0 THEN 'created' ELSE 'retry' END::pgboss.job_state,
      started_on = CASE WHEN retry_count = 0 THEN NULL ELSE started_on END,
      retry_count = greatest(0, retry_count - 1)
    WHERE name = ${name} AND id = ${jobId}::uuid AND state = 'active' AND retry_count = ${retryCount}`;
}
