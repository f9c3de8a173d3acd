import { setTimeout as delay } from "node:timers/promises";
import { settleRefunded } from "~/models/images/charges.server";
import { thumbnailWorkers } from "~/server/background/thumbnail-workers.server";
import { log } from "~/utils/logger.server";

/** Generations of this process that no response waits for, until each is settled. */
const running = new Map<string, Promise<void>>();

/**
 * Lets a generation go on after its response was sent, whether or not its visitor stays. Waits for it
 * for `waitMs` at most, so that a quick one is there with the response.
 */
export async function trackGeneration({
  generationId,
  settled,
  waitMs,
}: {
  generationId: string;
  settled: Promise<unknown>;
  waitMs: number;
}): Promise<void> {
  const done = settled
    .then(() => undefined)
    // Its row is still charged: maintenance refunds it once the lease is over.
    .catch((error: unknown) => log().error({ err: error, generationId }, "generation not settled"))
    .finally(() => {
      running.delete(generationId);
      thumbnailWorkers.wake();
    });
  running.set(generationId, done);
  await waitAtMost(waitMs, done);
}

/**
 * Waits until every generation is settled, for `graceMs` at most, and refunds those that are not. The
 * process is about to end, and their visitors would otherwise wait for the lease. Compare-and-set
 * decides against a result that comes in this moment.
 */
export async function settleRunningGenerations(graceMs: number): Promise<void> {
  if (running.size === 0) return;
  await waitAtMost(graceMs, Promise.all(running.values()));
  await Promise.all(
    [...running.keys()].map(async (generationId) => {
      try {
        await settleRefunded({ generationId, error: "generation_failed" });
        log().warn({ generationId }, "generation refunded: the server stops");
      } catch (error) {
        log().error({ err: error, generationId }, "generation not refunded: maintenance will");
      }
      running.delete(generationId);
    }),
  );
}

async function waitAtMost(ms: number, work: Promise<unknown>): Promise<void> {
  const timer = new AbortController();
  const timeout = delay(ms, undefined, { signal: timer.signal }).catch(() => undefined);
  await Promise.race([work, timeout]);
  timer.abort();
}
