import cluster from "node:cluster";
import { setTimeout as pause } from "node:timers/promises";
import { log } from "~/utils/logger.server";

/**
 * Begins to stop at the first signal, and stops after the delay. Supervisors may signal a whole group of
 * processes and the parent of several signals them too, so a second SIGTERM changes nothing.
 */
export function stopOnSignal({
  delayMs,
  begin,
  stop,
}: {
  delayMs: number;
  begin(): void;
  stop(): Promise<void>;
}): void {
  let isStopping = false;
  const hurry = new AbortController();
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.on(signal, async () => {
      if (signal === "SIGINT") hurry.abort();
      if (isStopping) return;
      isStopping = true;
      begin();
      if (cluster.isPrimary) log().info({ signal, delayMs }, "stopping");
      await pause(delayMs, undefined, { signal: hurry.signal }).catch(() => undefined);
      await stop();
    });
  }
}
