import pLimit from "p-limit";
import { log } from "~/utils/logger.server";

/** As many as the mail transport has connections: more would wait there all the same. */
const AT_ONCE = 3;
/** Beyond it tasks are dropped: a mail server that hangs must not fill the memory. */
const MAX_WAITING = 500;

const limit = pLimit(AT_ONCE);
const running = new Set<Promise<void>>();

/**
 * Does what an answer must not wait for: how long it takes would tell something, or help nobody. Three
 * tasks run at once, and 500 wait. A task that fails, or finds no place, is logged; those that were
 * taken are awaited when the server stops.
 */
export function runInBackground(task: string, work: () => Promise<void>): void {
  if (limit.pendingCount >= MAX_WAITING) {
    log().error({ task, waiting: limit.pendingCount }, "background task dropped: too many wait");
    return;
  }
  const done = limit(work)
    .catch((error: unknown) => log().error({ err: error, task }, "background task failed"))
    .finally(() => running.delete(done));
  running.add(done);
}

/** How many tasks run or wait. */
export function countBackgroundTasks(): number {
  return running.size;
}

/** Resolves once nothing runs in the background. */
export async function backgroundDone(): Promise<void> {
  while (running.size > 0) await Promise.all(running);
}
