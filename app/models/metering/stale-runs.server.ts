import { type DatabaseOrTransaction, getDb } from "~/db.server";
import { refundRun } from "~/models/metering/settle.server";
import { log } from "~/utils/logger.server";

/**
 * Refunds up to `limit` runs whose lease is over because their process died. Each is its own transaction.
 * The compare-and-set makes it safe to run in parallel with itself and with a process that settles late.
 * Returns the number refunded. Throws at the end if any could not be. Even so, every one is tried: the
 * longest overdue come first, and a faulty one would otherwise block the rest for good.
 */
export async function endStaleRuns(
  { limit }: { limit: number },
  db: DatabaseOrTransaction = getDb(),
): Promise<number> {
  const stale = await db.$queryRaw<{ id: string }[]>`
    SELECT id FROM metered_runs
    WHERE status = 'reserved' AND lease_until <= now() ORDER BY lease_until LIMIT ${limit}`;
  let refunded = 0;
  const failed: string[] = [];
  for (const { id } of stale) {
    try {
      if (await refundRun({ runId: id, error: "generation_failed" }, db)) refunded += 1;
    } catch (error) {
      failed.push(id);
      log().error({ err: error, runId: id }, "a stale run could not be refunded");
    }
  }
  if (failed.length > 0) throw new Error(`no refund for run ${failed.join(", ")}`);
  return refunded;
}
