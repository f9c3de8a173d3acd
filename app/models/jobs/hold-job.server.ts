import type { Transaction } from "~/db.server";

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
