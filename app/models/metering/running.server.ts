import { setTimeout as delay } from "node:timers/promises";
import { refundRun } from "~/models/metering/settle.server";
import { log } from "~/utils/logger.server";

/** Runs that this process works on, until each has ended. */
const running = new Map<string, Promise<void>>();

/** Remembers a run until it has ended, whether or not anybody waits for it. */
export function keepRunning(runId: string, ended: Promise<unknown>): void {
  const done = ended
    .then(() => undefined)
    // Its row is still reserved: maintenance refunds it once the lease is over.
    .catch((error: unknown) => log().error({ err: error, runId }, "run not ended"))
    .finally(() => running.delete(runId));
  running.set(runId, done);
}

/**
 * Waits until every run has ended, for `graceMs` at most, and refunds those that have not. The process is
 * about to end, and their owners would otherwise wait for the lease. Compare-and-set decides against a
 * result that comes in this moment.
 */
export async function endRunningRuns(graceMs: number): Promise<void> {
  if (running.size === 0) return;
  await waitAtMost(graceMs, Promise.all(running.values()));
  await Promise.all(
    [...running.keys()].map(async (runId) => {
      try {
        await refundRun({ runId, error: "generation_failed" });
        log().warn({ runId }, "run refunded: the server stops");
      } catch (error) {
        log().error({ err: error, runId }, "run not refunded: maintenance will");
      }
      running.delete(runId);
    }),
  );
}

/** Waits for work, for `ms` at most, and ignores how it ends. */
export async function waitAtMost(ms: number, work: Promise<unknown>): Promise<void> {
  const timer = new AbortController();
  const timeout = delay(ms, undefined, { signal: timer.signal }).catch(() => undefined);
  await Promise.race([work.catch(() => undefined), timeout]);
  timer.abort();
}
