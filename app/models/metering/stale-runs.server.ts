import { type DatabaseOrTransaction, getDb } from "~/db.server";
import { IS_LOST } from "~/models/metering/leases.server";
import { refundRun } from "~/models/metering/settle.server";
import { log } from "~/utils/logger.server";

/** A run that was refunded although a provider works on it. */
export interface AbandonedRequest {
  provider: string;
  model: string;
  requestId: string;
}

interface StaleRuns {
  limit: number;
  /** Tells the provider to stop. It must not throw. */
  cancel?: (request: AbandonedRequest) => Promise<void>;
}

interface Stale {
  id: string;
  provider: string | null;
  model: string | null;
  requestId: string | null;
}

/**
 * Refunds up to `limit` runs whose process died and that nobody can go on with, or whose deadline is over;
 * those are cancelled at their provider. Each is its own transaction.
 * The compare-and-set makes it safe to run in parallel with itself and with a process that settles late.
 * Returns the number refunded. Throws at the end if any could not be. Even so, every one is tried: the
 * longest overdue come first, and a faulty one would otherwise block the rest for good.
 */
export async function endStaleRuns(
  { limit, cancel }: StaleRuns,
  db: DatabaseOrTransaction = getDb(),
): Promise<number> {
  const stale = await db.$queryRaw<Stale[]>`
    SELECT id, provider, model, provider_request_id AS "requestId" FROM metered_runs run
    WHERE ${IS_LOST} ORDER BY lease_until LIMIT ${limit}`;
  let refunded = 0;
  const failed: string[] = [];
  for (const { id, provider, model, requestId } of stale) {
    try {
      if (!(await refundRun({ runId: id, error: "generation_failed" }, db))) continue;
      refunded += 1;
      if (provider && model && requestId) await cancel?.({ provider, model, requestId });
    } catch (error) {
      failed.push(id);
      log().error({ err: error, runId: id }, "a stale run could not be refunded");
    }
  }
  if (failed.length > 0) throw new Error(`no refund for run ${failed.join(", ")}`);
  return refunded;
}
