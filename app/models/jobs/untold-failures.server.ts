import { type DatabaseOrTransaction, getDb } from "~/db.server";
import { JOB_NAMES } from "~/models/jobs/job-kinds";

/** On the error of an attempt whose failure its process has logged; the engine keeps it with the job. */
export const TOLD = { told: true } as const;

interface FailedJob {
  id: string;
  name: string;
  attempts: number;
  /** The engine's words. */
  reason: string | null;
}

/**
 * Returns jobs that failed for good and of which no process has told, and marks them. Each goes to one caller. Their
 * process died at the last attempt, or its handler never returned: it could say nothing, and the engine says nothing.
 */
export function takeUntoldFailures(db: DatabaseOrTransaction = getDb()): Promise<FailedJob[]> {
  return db.$queryRaw`
    UPDATE pgboss.job SET output = coalesce(output, '{}') || ${JSON.stringify(TOLD)}::jsonb
    WHERE name = ANY (${JOB_NAMES}) AND state = 'failed' AND (output ? 'told') IS NOT TRUE
    RETURNING id, name, retry_count + 1 AS attempts,
      coalesce(output->>'message', output->'value'->>'message', output->>'value') AS reason`;
}
