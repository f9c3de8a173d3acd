import { setTimeout as pause } from "node:timers/promises";
import { refusalOf } from "~/services/payments/payment-faults";

/** Seconds between attempts: two minutes in all, longer than a per-minute rate limit. */
const WAITS = [1, 2, 4, 8, 15, 30, 60];

/** Whether a retry may succeed. */
function isPassing(error: unknown): boolean {
  const { status } = refusalOf(error);
  return status === null || status === 429 || status >= 500;
}

/**
 * Retries with increasing waits while the provider rate-limits, fails or can't be reached. Throws at
 * once if the provider rejects the request for good, and otherwise the last error.
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
      warn(`the provider does not respond as expected; retrying in ${seconds} s`);
      await sleep(seconds * 1000);
    }
  }
  return call();
}
