/** What a part tells its supervisor once it serves: addresses, ports. */
export type PartFacts = Record<string, string | number>;

/**
 * The frame of one part of the local service, run as a child process: starts it, reports its facts
 * over the IPC channel, and stops it on SIGTERM or when the supervisor is gone, however it went.
 */
export async function runPart(
  start: () => Promise<{ facts: PartFacts; stop: () => Promise<void> }>,
): Promise<void> {
  try {
    const { facts, stop } = await start();
    const end = () => void stop().finally(() => process.exit(0));
    process.once("SIGTERM", end);
    process.once("disconnect", end);
    process.send?.(facts);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  }
}
