import { setTimeout as pause } from "node:timers/promises";

const EVERY_MS = 1_000;
const TELL_EVERY_MS = 30_000;

/** Calls until it gets a value, and tells every half minute that it waits. Throws `otherwise` on timeout. */
export async function poll<T>(
  look: () => Promise<T | null>,
  {
    withinMs,
    otherwise,
    tell = () => {},
  }: { withinMs: number; otherwise: string; tell?: (line: string) => void },
): Promise<T> {
  const began = Date.now();
  const end = began + withinMs;
  let told = began;
  for (;;) {
    const found = await look();
    if (found !== null) return found;
    if (Date.now() >= end) throw new Error(`${otherwise}, after ${seconds(withinMs)} seconds`);
    if (Date.now() - told >= TELL_EVERY_MS) {
      told = Date.now();
      tell(
        `still waiting: ${otherwise}, after ${seconds(told - began)} of ${seconds(withinMs)} seconds`,
      );
    }
    await pause(Math.min(EVERY_MS, Math.max(0, end - Date.now())));
  }
}

const seconds = (ms: number) => Math.round(ms / 1000);
