import { type ScheduledTask, schedule } from "node-cron";
import type { Logger } from "pino";
import type { JobResult } from "./call-job";
import type { Job } from "./jobs";

export interface SchedulerOptions {
  jobs: readonly Job[];
  /** Runs a job until it ends or the signal aborts. Never rejects. */
  run(job: Job, signal: AbortSignal): Promise<JobResult>;
  logger: Pick<Logger, "info" | "warn" | "error">;
  /** node-cron; tests replace it. */
  plan?: typeof planInUtc;
}

/**
 * Runs each job on its schedule, one run of a job at a time. A run that comes due during another is
 * skipped, because the current run does its work.
 */
export function startScheduler({ jobs, run, logger, plan = planInUtc }: SchedulerOptions) {
  const stopping = new AbortController();
  const underWay = new Map<string, Promise<void>>();

  async function runAndLog(job: Job): Promise<void> {
    const result = await run(job, stopping.signal);
    const { attempts, ms } = result;
    const facts = { job: job.name, attempts, ms };
    switch (result.status) {
      case "ok":
        return logger.info({ ...facts, counts: result.counts }, "job done");
      case "failed":
        return logger.error({ ...facts, reason: result.reason }, "job failed");
      case "aborted":
        return logger.warn(facts, "job aborted: stopping");
    }
  }

  function onDue(job: Job): void {
    if (underWay.has(job.name)) {
      logger.warn({ job: job.name }, "job skipped: its last run is still going on");
      return;
    }
    const running = runAndLog(job).finally(() => underWay.delete(job.name));
    underWay.set(job.name, running);
  }

  const tasks = jobs.map((job) => plan(job, () => onDue(job), logger));

  return {
    /** Starts no more runs, waits `graceMs` for running ones, then aborts them. */
    async stop({ graceMs }: { graceMs: number }): Promise<void> {
      await Promise.all(tasks.map((task) => task.destroy()));
      const abort = setTimeout(() => stopping.abort(), graceMs);
      await Promise.all(underWay.values());
      clearTimeout(abort);
    },
  };
}

/** Calls `onDue` at the job's times, in UTC on every machine. */
export function planInUtc(
  job: Job,
  onDue: () => void,
  logger: SchedulerOptions["logger"],
): Pick<ScheduledTask, "destroy" | "match"> {
  const say = (level: "warn" | "error") => (message: string | Error) =>
    logger[level]({ job: job.name }, message instanceof Error ? message.message : message);
  return schedule(job.schedule, onDue, {
    name: job.name,
    timezone: "UTC",
    // node-cron's own log lines, such as those on times missed while the machine slept.
    logger: { info() {}, debug() {}, warn: say("warn"), error: say("error") },
  });
}
