import { setTimeout as pause } from "node:timers/promises";
import { refusalOf } from "~/services/payments/payment-faults";

/** Seconds before another try: two minutes in all, which outlasts a limit that counts by the minute. */
const WAITS = [1, 2, 4, 8, 15, 30, 60];

/** Whether the same call may well go through a little later. */
function isPassing(error: unknown): boolean {
  const { status } = refusalOf(error);
  return status === null || status === 429 || status >= 500;
}

/**
 * Calls until it goes through: a provider that is asked too often, fails or cannot be reached is
 * given time, longer each time. What it refuses for good is thrown at once, and so is the last error.
 */
export async function withBackOff<T>(
  call: () => Promise<T>,
  {
    warn,
    sleep = pause,
  }: { warn(line: string): void; sleep?: (milliseconds: number) => Promise<unknown> },
): Promise<T> {
  for (const seconds of WAITS) {
    try {
      return await call();
    } catch (error) {
      if (!isPassing(error)) throw error;
      warn(`the provider does not answer as it should; again in ${seconds} s`);
      await sleep(seconds * 1000);
    }
  }
  return call();
}
