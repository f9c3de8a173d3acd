import { setTimeout as delay } from "node:timers/promises";
import { LEASE_SECONDS, releaseRun, renewLeases } from "~/models/metering/leases.server";
import { refundRun } from "~/models/metering/settle.server";
import { log } from "~/utils/logger.server";

/** Something that this process works on. */
interface Working {
  /** Resolves once the work is over. */
  over: Promise<void>;
  /** Asks the work to leave its run to another process, if a provider knows it. */
  handOver: AbortController;
  /** Tells those who wait that this process does no more. */
  stop: () => void;
  /** A request waits for the end. */
  isAwaited: boolean;
}

const running = new Map<string, Working>();
let renewal: NodeJS.Timeout | undefined;
let isStopping = false;

/** Whether this process is about to end, and leaves or refunds what it works on. */
export const areRunsStopping = (): boolean => isStopping;

/**
 * Works on a run, whether or not anybody waits for it, and renews its lease meanwhile. Resolves once the work
 * is over, or once this process stops and does no more: then the run may still be reserved.
 */
export async function keepRunning(
  { runId, isAwaited }: { runId: string; isAwaited: boolean },
  work: (handOver: AbortSignal) => Promise<unknown>,
): Promise<void> {
  const handOver = new AbortController();
  if (isStopping && !isAwaited) handOver.abort();
  let stop = () => {};
  const stopped = new Promise<void>((resolve) => {
    stop = resolve;
  });
  const done = work(handOver.signal);
  const over = done
    .then(() => undefined)
    // Its row is still reserved: once its lease is over, another process goes on or refunds it.
    .catch((error: unknown) => log().error({ err: error, runId }, "run not ended"))
    .finally(() => forget(runId, working));
  const working = { over, handOver, stop, isAwaited };
  running.set(runId, working);
  renewal ??= setInterval(renew, (LEASE_SECONDS / 3) * 1_000).unref();
  await Promise.race([done, stopped]);
}

/** The run may be worked on once more by now, after this work was given up. */
function forget(runId: string, working: Working): void {
  if (running.get(runId) === working) running.delete(runId);
}

function renew(): void {
  if (running.size === 0) {
    clearInterval(renewal);
    renewal = undefined;
    return;
  }
  renewLeases([...running.keys()]).catch((error: unknown) =>
    log().error({ err: error, runs: running.size }, "leases not renewed"),
  );
}

interface Grace {
  /** How long requests may wait for their runs before those are handed over. */
  awaitedMs: number;
  /** How long a run may take to end that can't be handed over. */
  graceMs: number;
}

/**
 * Ends the work on all runs, because the process is about to end. Runs that a provider knows go to another
 * process: at once where nobody waits for them. The rest is refunded after the grace time: their owners
 * would otherwise wait for the lease. Compare-and-set decides against a result that comes in this moment.
 * Requests in flight may begin runs meanwhile: those are ended by the next call.
 */
export async function endRunningRuns({ awaitedMs, graceMs }: Grace): Promise<void> {
  isStopping = true;
  if (running.size === 0) return;
  const began = performance.now();
  for (const { isAwaited, handOver } of running.values()) if (!isAwaited) handOver.abort();
  await waitAtMost(awaitedMs, allOver());
  for (const { handOver } of running.values()) handOver.abort();
  await waitAtMost(graceMs - (performance.now() - began), allOver());
  await Promise.all(
    [...running].map(async ([runId, working]) => {
      await leave(runId);
      working.stop();
      forget(runId, working);
    }),
  );
}

const allOver = () => Promise.all([...running.values()].map(({ over }) => over));

async function leave(runId: string): Promise<void> {
  try {
    if (await releaseRun({ runId })) return log().info({ runId }, "run handed over");
    if (await refundRun({ runId, error: "generation_failed" }))
      log().warn({ runId }, "run refunded: the server stops");
  } catch (error) {
    log().error({ err: error, runId }, "run not ended: another process will");
  }
}

/** Waits for work, for `ms` at most, and ignores how it ends. */
export async function waitAtMost(ms: number, work: Promise<unknown>): Promise<void> {
  const timer = new AbortController();
  const timeout = delay(Math.max(0, ms), undefined, { signal: timer.signal }).catch(
    () => undefined,
  );
  await Promise.race([work.catch(() => undefined), timeout]);
  timer.abort();
}
