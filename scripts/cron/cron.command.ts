import { setTimeout as pause } from "node:timers/promises";
import { allowAddresses } from "~/services/outgoing/allowed-origins.server";
import { log, setLogLevel } from "~/utils/logger.server";
import { runCommand, secondsOption, UsageError } from "../lib/command";
import { endWithNpm } from "../lib/end-with-npm";
import { type CallOptions, callJob, type JobResult } from "./call-job";
import { JOBS, type Job } from "./jobs";
import { type CronSettings, readSettings } from "./read-settings";
import { startScheduler } from "./scheduler";

/** Milliseconds that running jobs get to finish after this process is asked to stop. */
const GRACE_MS = 4_000;
/** Seconds; `fetch` waits no longer than this for a response to start. */
const LONGEST_TIMEOUT = 290;

const names = JOBS.map(({ name }) => name).join(", ");

await runCommand({
  name: "cron",
  usage: `Calls the scheduled routes of the service on time, in UTC, until it is stopped:
${JOBS.map((job) => `  ${job.schedule.padEnd(12)} ${job.path}`).join("\n")}
Logs one JSON line per run. Retries failed calls, and never runs a job twice at the same time. Needs
CRON_SECRET and the service's address. One process is enough; several do no harm.`,
  options: {
    once: { type: "string", value: "job", help: `run one now and exit: ${names}` },
    url: {
      type: "string",
      value: "address",
      help: "the service's address (default NEXT_PUBLIC_SITE_URL)",
    },
    timeout: {
      type: "string",
      value: "seconds",
      default: "240",
      help: `how long one attempt may take, up to ${LONGEST_TIMEOUT}`,
    },
  },
  async run({ values, print, warn }) {
    const job = values.once === undefined ? null : requireJob(values.once);
    const timeoutMs = parseTimeout(values.timeout);
    const settings = readSettings(values.url, process.env);
    allowAddresses({ site: [settings.baseUrl] });
    const stopped = whenStopped();
    endWithNpm("cron");
    if (job) return runOnce({ job, settings, timeoutMs, signal: stopped.signal, print, warn });

    setLogLevel(settings.logLevel);
    const scheduler = startScheduler({
      jobs: JOBS,
      logger: log(),
      run: (due, signal) =>
        call({ job: due, settings, timeoutMs, signal }, (retry) =>
          log().warn({ job: due.name, ...retry }, "job failed, will be retried"),
        ),
    });
    log().info({ jobs: JOBS.map(({ name, schedule }) => `${schedule} ${name}`) }, "scheduling");
    await stopped.promise;
    log().info("stopping");
    await scheduler.stop({ graceMs: GRACE_MS });
    return 0;
  },
});

interface Call {
  job: Job;
  settings: CronSettings;
  timeoutMs: number;
  signal: AbortSignal;
}

function call(
  { job, settings, timeoutMs, signal }: Call,
  onRetry: CallOptions["onRetry"],
): Promise<JobResult> {
  const wait = (ms: number) => pause(ms, undefined, { signal }).catch(() => undefined);
  const now = () => performance.now();
  return callJob({ job, ...settings, timeoutMs, signal, onRetry, wait, now });
}

async function runOnce({
  print,
  warn,
  ...options
}: Call & { print(line: string): void; warn(line: string): void }): Promise<number> {
  const result = await call(options, ({ attempt, reason, waitMs }) =>
    warn(`attempt ${attempt}: ${reason}; again in ${waitMs / 1000} s`),
  );
  const { name } = options.job;
  switch (result.status) {
    case "ok":
      print(`${name}: done in ${result.ms} ms ${JSON.stringify(result.counts)}`);
      return 0;
    case "failed":
      throw new Error(`${name}: ${result.reason}`);
    case "aborted":
      throw new Error(`${name}: stopped before the result was known`);
  }
}

function requireJob(name: string): Job {
  const job = JOBS.find((known) => known.name === name);
  if (!job) throw new UsageError(`--once takes ${names}, not '${name}'`);
  return job;
}

function parseTimeout(text: string): number {
  const timeoutMs = secondsOption("timeout", text);
  if (timeoutMs < 1 || timeoutMs > LONGEST_TIMEOUT * 1000)
    throw new UsageError(`--timeout takes seconds up to ${LONGEST_TIMEOUT}, not '${text}'`);
  return timeoutMs;
}

/** The first signal asks to stop. The second ends the process, by Node's default handling. */
function whenStopped(): { promise: Promise<void>; signal: AbortSignal } {
  const stop = new AbortController();
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => stop.abort());
  const promise = new Promise<void>((resolve) =>
    stop.signal.addEventListener("abort", () => resolve(), { once: true }),
  );
  return { promise, signal: stop.signal };
}
