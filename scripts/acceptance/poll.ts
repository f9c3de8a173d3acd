import { setTimeout as pause } from "node:timers/promises";

const EVERY_MS = 1_000;

/** Calls until it gets a value. Throws `otherwise` on timeout. */
export async function poll<T>(
  look: () => Promise<T | null>,
  { withinMs, otherwise }: { withinMs: number; otherwise: string },
): Promise<T> {
  const end = Date.now() + withinMs;
  for (;;) {
    const found = await look();
    if (found !== null) return found;
    if (Date.now() >= end)
      throw new Error(`${otherwise}, after ${Math.round(withinMs / 1000)} seconds`);
    await pause(Math.min(EVERY_MS, Math.max(0, end - Date.now())));
  }
}
