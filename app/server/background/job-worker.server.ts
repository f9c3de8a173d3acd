import { setTimeout as pause } from "node:timers/promises";
import { fromPrisma, type JobWithMetadata, PgBoss } from "pg-boss";
import { getDb } from "~/db.server";
import type { Env } from "~/env.server";
import { giveJobBack, holdJob } from "~/models/jobs/hold-job.server";
import { JOB_KINDS, JOB_NAMES, type JobData, type JobName } from "~/models/jobs/job-kinds";
import { TOLD } from "~/models/jobs/untold-failures.server";
import { tellFailures } from "~/server/background/failed-jobs.server";
import { logEngine } from "~/server/background/job-engine-log.server";
import type { JobContext, JobHandler, JobHandlers } from "~/server/background/job-handlers.server";
import { errorMessage } from "~/utils/error-message";
import { log } from "~/utils/logger.server";
import { count } from "~/utils/metrics.server";
import { runWithRequestContext } from "~/utils/request-context.server";
import { inSpan } from "~/utils/tracing.server";

/** Beside the one that listens. What jobs themselves read and write goes through the process's own pool. */
const CONNECTIONS = 2;
/** How often each queue is looked at. New jobs wake a worker that can listen; retries and lost jobs don't. */
const POLL_SECONDS = 2;
const POLL_SECONDS_WHILE_LISTENING = 5;
/** How often jobs are looked for whose process died, by one process for all. */
const SUPERVISION_SECONDS = 5;
const START_AGAIN_MS = 5_000;

const TAKING = {
  includeMetadata: true,
  pollingIntervalSeconds: POLL_SECONDS,
  notifyPollingIntervalSeconds: POLL_SECONDS_WHILE_LISTENING,
} as const;

export interface JobWorker {
  /** Takes no more jobs, and asks those that run to come to an end. */
  beginStopping(): void;
  /** Resolves once none runs. Jobs that take longer than this are given back, to be done elsewhere. */
  end(withinMs: number): Promise<void>;
  /** Returns the number of jobs that run. */
  count(): number;
}

/**
 * Takes jobs and does them, those that the configuration allows, as long as this process runs. While the database
 * can't be asked, or its schema of jobs is another version's, this is logged and tried again.
 */
export function startJobWorker(env: Env, handlers: JobHandlers): JobWorker {
  const url = env.directDatabaseUrl ?? env.databaseUrl;
  const boss = createEngine(url);
  const names = JOB_NAMES.filter((name) => handlers[name].canRun(env));
  const stopping = new AbortController();
  let running = 0;

  async function begin(): Promise<void> {
    if (!(await startEngine(boss, stopping.signal))) return;
    tellFailures(stopping.signal);
    for (const name of names)
      for (let slot = 0; slot < JOB_KINDS[name].atOnce; slot += 1) {
        if (stopping.signal.aborted) return;
        await take(name);
      }
    log().info({ jobs: names }, "taking jobs");
  }

  /** Does jobs of one kind, one after another. */
  async function take(name: JobName): Promise<void> {
    const taker = await boss.work(name, TAKING, async ([job]: JobWithMetadata[]) => {
      if (!job) return;
      running += 1;
      try {
        await perform({ boss, job, handler: handlers[name], name, stopping: stopping.signal });
      } finally {
        running -= 1;
        // Otherwise it would wait for its next poll before it takes another one. The library can only be told so for
        // one taker by its id, which is why each is registered by itself.
        boss.notifyWorker(taker);
      }
    });
  }

  const begun = begin().catch((error: unknown) => {
    if (!stopping.signal.aborted) log().error({ err: error }, "background work is off");
  });

  return {
    beginStopping() {
      stopping.abort();
      for (const name of names) void boss.offWork(name, { wait: false });
    },
    async end(withinMs) {
      await begun;
      await boss.stop({ graceful: true, timeout: withinMs });
    },
    count: () => running,
  };
}

function createEngine(connectionString: string): PgBoss {
  const options = {
    connectionString,
    schema: "pgboss",
    max: CONNECTIONS,
    connectionTimeoutMillis: 5_000,
    // Passed on to node-postgres. A connection that went silent would otherwise hold its worker for hours.
    query_timeout: 60_000,
    // Behind a pooler in transaction mode no connection can listen.
    useListenNotify: new URL(connectionString).searchParams.get("pgbouncer") !== "true",
    // Our migrations alone change the schema, and node-cron or the host's cron keep the timetable.
    migrate: false,
    schedule: false,
    reindex: false,
    monitorVacuum: false,
    registerInstance: false,
    superviseIntervalSeconds: SUPERVISION_SECONDS,
    monitorIntervalSeconds: SUPERVISION_SECONDS,
    maintenanceIntervalSeconds: 60 * 60,
    // For jobs that wait for other jobs, which are not used.
    flowIntervalSeconds: 24 * 60 * 60,
  };
  const boss = new PgBoss(options);
  logEngine(boss);
  return boss;
}

/** Returns false if the process is to stop before the engine has started. */
async function startEngine(boss: PgBoss, stopping: AbortSignal): Promise<boolean> {
  let said = "";
  while (!stopping.aborted) {
    try {
      await boss.start();
      return !stopping.aborted;
    } catch (error) {
      const reason = reasonOf(error);
      if (reason !== said) log().error({ reason }, "background work is off; trying again");
      said = reason;
      await pause(START_AGAIN_MS, undefined, { signal: stopping }).catch(() => undefined);
    }
  }
  return false;
}

/** The library's own words for a schema that is missing or of another version name no remedy. */
function reasonOf(error: unknown): string {
  const reason = errorMessage(error);
  return /pg-boss (is not installed|database requires migrations)/.test(reason)
    ? "the database's tables of jobs (schema pgboss) are not this version's: run `npm run db:migrate`, or start the version that fits"
    : reason;
}

interface Performance {
  boss: PgBoss;
  name: JobName;
  job: JobWithMetadata;
  handler: JobHandler<never>;
  stopping: AbortSignal;
}

/** Does one job. Log lines have its id as their request's id. A failure is logged, and kept without its data. */
async function perform({ boss, name, job, handler, stopping }: Performance): Promise<void> {
  const { id: jobId, retryCount, retryLimit } = job;
  // It was on its way when the process was asked to stop.
  if (stopping.aborted) return giveJobBack({ name, jobId, retryCount });
  const context: JobContext = {
    attempt: retryCount + 1,
    isLastAttempt: retryCount >= retryLimit,
    signal: AbortSignal.any([job.signal, stopping]),
  };
  await runWithRequestContext({ requestId: jobId }, async () => {
    try {
      const data = JOB_KINDS[name].data.parse(job.data) as never;
      const facts = { "rcs.job_id": jobId, "rcs.attempt": context.attempt };
      await inSpan({ name: `job ${name}`, kind: "consumer", facts }, async () => {
        if ("run" in handler) await handler.run(data, context);
        else await runInTransaction({ boss, name, job, data, handler, context });
      });
      count("rcs_jobs_total", { kind: name, outcome: "done" });
    } catch (error) {
      const facts = { err: error, job: name, jobId, attempt: context.attempt };
      count("rcs_jobs_total", {
        kind: name,
        outcome: context.isLastAttempt ? "given_up" : "failed",
      });
      if (context.isLastAttempt)
        log().error(facts, "a job failed for good: npm run jobs -- show says more");
      else log().warn(facts, "a job failed; it will be tried again");
      // The library keeps whatever is on an error: rows, addresses, stack.
      throw Object.assign(new Error(errorMessage(error)), { stack: undefined, ...TOLD });
    }
  });
}

interface TransactionalPerformance {
  boss: PgBoss;
  name: JobName;
  job: JobWithMetadata;
  data: JobData<JobName> & never;
  handler: Extract<JobHandler<never>, { runInTransaction: unknown }>;
  context: JobContext;
}

/**
 * Ends the job in the transaction of its writes. If another process has the job by now, or it was cancelled, the writes
 * are undone.
 */
async function runInTransaction(it: TransactionalPerformance): Promise<void> {
  const { boss, name, job, data, handler, context } = it;
  await getDb().$transaction(
    async (transaction) => {
      await handler.runInTransaction(data, transaction, context);
      const { id: jobId, retryCount } = job;
      if (!(await holdJob({ name, jobId, retryCount }, transaction)))
        throw new Error("the job was taken from this process");
      await boss.complete(name, jobId, null, { db: fromPrisma(transaction) });
    },
    { timeout: JOB_KINDS[name].longest * 1_000 },
  );
}
