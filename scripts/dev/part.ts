/** Addresses and ports that a part reports once it serves. */
export type PartFacts = Record<string, string | number>;

/**
 * Runs one part of the local service as a child process: starts it, reports its facts over the IPC
 * channel, and stops it on SIGTERM or when the supervisor is gone for any reason. A part that is still
 * starting is stopped once it has started.
 */
export async function runPart(
  start: () => Promise<{ facts: PartFacts; stop: () => Promise<void> }>,
): Promise<void> {
  const over = new Promise<void>((resolve) => {
    process.once("SIGTERM", () => resolve());
    process.once("disconnect", () => resolve());
    if (!process.connected) resolve();
  });
  try {
    const { facts, stop } = await start();
    // The callback receives the error of a lost supervisor; `over` handles it.
    if (process.connected) process.send?.(facts, undefined, undefined, () => {});
    void over.then(stop).finally(() => process.exit(0));
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  }
}
