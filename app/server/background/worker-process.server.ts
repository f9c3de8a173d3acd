import { closeDb } from "~/db.server";
import { getEnv } from "~/env.server";
import { endRunningRuns } from "~/models/metering/running.server";
import { JOB_HANDLERS } from "~/server/background/job-handlers.server";
import { startJobWorker } from "~/server/background/job-worker.server";
import { announcePresence } from "~/server/background/presence.server";
import { runWatch } from "~/server/background/run-watch.server";
import { logCrashes } from "~/server/http/crash-log.server";
import { stopOnSignal } from "~/server/http/stop-on-signal.server";
import { startWorkerServer } from "~/server/metrics/worker-server.server";
import { startTracing } from "~/server/tracing/start-tracing.server";
import { closeEmailSender } from "~/services/emails/smtp-sender.server";
import { closeGlobalFetch } from "~/services/outgoing/platform-fetch.server";
import { log, setLogLevel } from "~/utils/logger.server";

/** Runs that can't be handed over get this long to end. The rest is refunded. */
const RUNS_MS = 3_000;
/** Jobs get this long to end. What runs on then is done elsewhere. */
const JOBS_MS = 4_000;
/** The process always ends this long after the signal, even if the database doesn't respond. */
const STOP_MS = 4_800;

/**
 * Does background work until SIGTERM or SIGINT, and serves nothing but its metrics, where `METRICS_PORT` is set.
 * Resolves once it works. Rejects if that port can't be had.
 */
export async function runWorkerProcess(): Promise<void> {
  closeGlobalFetch();
  const env = getEnv();
  setLogLevel(env.logLevel);
  logCrashes();
  for (const warning of env.warnings) log().warn(warning);
  const tracing = await startTracing(env, "worker");
  const metrics = await startWorkerServer(env);
  const presence = announcePresence(env, { kind: "worker", works: true });
  const worker = startJobWorker(env, JOB_HANDLERS);
  runWatch.start();
  stopOnSignal({
    delayMs: 0,
    begin() {
      worker.beginStopping();
      runWatch.stop();
    },
    async stop() {
      setTimeout(() => {
        log().warn({ unfinished: worker.count() }, "stopped before everything was closed");
        process.exit(0);
      }, STOP_MS).unref();
      await Promise.all([worker.end(JOBS_MS), endRunningRuns({ awaitedMs: 0, graceMs: RUNS_MS })]);
      // The last jobs may have begun further ones.
      await endRunningRuns({ awaitedMs: 0, graceMs: 0 });
      metrics?.close();
      metrics?.closeAllConnections();
      await Promise.all([presence.end(), tracing.end()]);
      closeEmailSender();
      await closeDb();
      process.exit(0);
    },
  });
}
