import { type ScheduledTask, schedule } from "node-cron";
import type { Logger } from "pino";
import type { JobResult } from "./call-job";
import type { Job } from "./jobs";

export interface SchedulerOptions {
  jobs: readonly Job[];
  /** Runs a job to its end, or until the signal aborts. Never rejects. */
  run(job: Job, signal: AbortSignal): Promise<JobResult>;
  logger: Pick<Logger, "info" | "warn" | "error">;
  /** node-cron, but for tests. */
  plan?: typeof planInUtc;
}

/**
 * Runs each job on its schedule, one run of a job at a time: what comes due meanwhile is left out,
 * since the run under way does its work.
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
        return logger.warn(facts, "job given up: stopping");
    }
  }

  function onDue(job: Job): void {
    if (underWay.has(job.name)) {
      logger.warn({ job: job.name }, "job left out: its last run is still under way");
      return;
    }
    const running = runAndLog(job).finally(() => underWay.delete(job.name));
    underWay.set(job.name, running);
  }

  const tasks = jobs.map((job) => plan(job, () => onDue(job), logger));

  return {
    /** Begins nothing more; gives what is under way this long to end, then gives it up. */
    async stop({ graceMs }: { graceMs: number }): Promise<void> {
      await Promise.all(tasks.map((task) => task.destroy()));
      const abort = setTimeout(() => stopping.abort(), graceMs);
      await Promise.all(underWay.values());
      clearTimeout(abort);
    },
  };
}

/** Calls `onDue` at the job's times, in UTC wherever this runs. */
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
    // Its own words, like those on times that were missed while the machine slept.
    logger: { info() {}, debug() {}, warn: say("warn"), error: say("error") },
  });
}
