import { takeUntoldFailures } from "~/models/jobs/untold-failures.server";
import { log } from "~/utils/logger.server";

const EVERY_MS = 5_000;

/** Logs jobs that failed for good without a word of their process, until the signal. */
export function tellFailures(stopping: AbortSignal): void {
  const timer = setInterval(() => void tell(), EVERY_MS).unref();
  stopping.addEventListener("abort", () => clearInterval(timer));
}

async function tell(): Promise<void> {
  try {
    for (const { id: jobId, name: job, attempts, reason } of await takeUntoldFailures())
      log().error(
        { job, jobId, attempt: attempts, reason },
        "a job's last attempt didn't end: npm run jobs -- show says more",
      );
  } catch (error) {
    log().warn({ err: error }, "failed jobs not looked for");
  }
}
