import { log } from "~/utils/logger.server";

const running = new Set<Promise<void>>();

/**
 * Does what an answer must not wait for: how long it takes would tell something, or help nobody. It is
 * logged if it fails, and awaited when the server stops.
 */
export function runInBackground(task: string, work: () => Promise<void>): void {
  const done = work()
    .catch((error: unknown) => log().error({ err: error, task }, "background task failed"))
    .finally(() => running.delete(done));
  running.add(done);
}

/** Resolves once nothing runs in the background. */
export async function backgroundDone(): Promise<void> {
  while (running.size > 0) await Promise.all(running);
}
