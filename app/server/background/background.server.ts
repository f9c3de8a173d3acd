import pLimit from "p-limit";
import { log } from "~/utils/logger.server";

/** Each takes a database connection, and requests need most of them. */
const AT_ONCE = 3;
/** Tasks beyond this number are dropped, so that a hanging database doesn't fill the memory. */
const MAX_WAITING = 500;

const limit = pLimit(AT_ONCE);
const running = new Set<Promise<void>>();

/**
 * Runs work that a response must not wait for, because the wait would reveal something or help
 * nobody. Three tasks run at once and 500 wait. A task that fails or finds no place is logged.
 * Accepted tasks are awaited when the server stops.
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

/** Returns the number of tasks that run or wait. */
export function countBackgroundTasks(): number {
  return running.size;
}

/** Resolves once nothing runs in the background. */
export async function backgroundDone(): Promise<void> {
  while (running.size > 0) await Promise.all(running);
}
