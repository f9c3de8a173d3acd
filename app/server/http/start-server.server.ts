import cluster from "node:cluster";
import type { RequestListener, Server } from "node:http";
import type { AddressInfo } from "node:net";
import { setImmediate } from "node:timers/promises";
import { closeDb } from "~/db.server";
import { getEnv } from "~/env.server";
import { endRunningRuns } from "~/models/metering/running.server";
import { noteMigrations } from "~/models/migrations-applied.server";
import { backgroundDone, countBackgroundTasks } from "~/server/background/background.server";
import { JOB_HANDLERS } from "~/server/background/job-handlers.server";
import { type JobWorker, startJobWorker } from "~/server/background/job-worker.server";
import { announcePresence } from "~/server/background/presence.server";
import { runWatch } from "~/server/background/run-watch.server";
import { logCrashes } from "~/server/http/crash-log.server";
import { createHttpServer } from "~/server/http/create-http-server.server";
import { directCounts } from "~/server/http/direct/direct-counts.server";
import { withStopping } from "~/server/http/guards/stopping.server";
import { httpLimits } from "~/server/http/http-limits.server";
import { bareHeaders } from "~/server/http/security-headers.server";
import { stopOnSignal } from "~/server/http/stop-on-signal.server";
import { joinReports } from "~/server/metrics/process-reports.server";
import { writeRefusedWebhooks } from "~/server/payments/refused-webhooks.server";
import { startTracing } from "~/server/tracing/start-tracing.server";
import { closeEmailSender } from "~/services/emails/smtp-sender.server";
import { log, setLogLevel } from "~/utils/logger.server";

/** Requests in flight get this long to finish once the server accepts no more. Then they are cut. */
const DRAIN_MS = 4_500;
/** Requests in flight wait this long for their runs. Then those that a provider knows go to another process. */
const AWAITED_MS = 2_500;
/** Other runs get this long to end. The rest is refunded. */
const RUNS_MS = 3_000;
/** Jobs get this long. What runs on then is done elsewhere. */
const JOBS_MS = 3_500;
/** The process always ends this long after that, even if the database doesn't respond. */
const STOP_MS = 4_800;

/**
 * Listens on `PORT` (0 takes any free port) of `host`, by default `HOST`, and resolves once it
 * listens. On SIGTERM it serves on for `SHUTDOWN_DELAY` with /readyz at 503, so that balancers send their
 * requests elsewhere. Then it stops accepting, lets requests in flight and emails finish, closes the
 * database pool and ends the process. SIGINT, a person's Ctrl-C, skips the delay.
 */
export async function startServer(
  listener: RequestListener,
  host?: string,
): Promise<{ port: number }> {
  const env = getEnv();
  setLogLevel(env.logLevel);
  logCrashes();
  joinReports();
  const tracing = await startTracing(env, "server");
  // The parent of several processes says this once for all of them.
  if (cluster.isPrimary) for (const warning of env.warnings) log().warn(warning);

  await noteMigrations();

  const stopping = withStopping((request, response) => {
    // Express itself refuses a target it can't parse, before the middleware that should refuse it.
    if (!request.url?.startsWith("/")) request.url = "*";
    listener(request, response);
  });
  const server = createHttpServer(stopping.listener, httpLimits(env), bareHeaders(env));
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen({ port: env.port, host: host ?? env.host ?? undefined }, resolve);
  });
  const presence = announcePresence(env, { kind: "server", works: env.worker });
  const worker = env.worker ? startJobWorker(env, JOB_HANDLERS) : null;
  stopOnSignal({
    delayMs: env.shutdownDelay * 1_000,
    begin: () => {
      stopping.beginStopping();
      worker?.beginStopping();
      runWatch.stop();
    },
    stop: () => stop({ server, worker, presence, tracing }),
  });
  if (env.worker) runWatch.start();
  const { port } = server.address() as AddressInfo;
  if (cluster.isPrimary) log().info({ port }, "listening");
  return { port };
}

interface Running {
  server: Server;
  worker: JobWorker | null;
  presence: { end(): Promise<void> };
  tracing: { end(): Promise<void> };
}

async function stop({ server, worker, presence, tracing }: Running): Promise<void> {
  setTimeout(() => {
    const unfinished = countBackgroundTasks() + (worker?.count() ?? 0);
    log().warn({ unfinished }, "stopped before everything was closed");
    process.exit(0);
  }, STOP_MS).unref();
  const runs = endRunningRuns({ awaitedMs: AWAITED_MS, graceMs: RUNS_MS });
  const jobs = worker?.end(JOBS_MS);
  // A response that had begun before the signal may have promised to keep its connection.
  server.keepAliveTimeout = 1;
  const cut = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
  // Requests that have arrived by now are accepted and read first: the system resets the connection of one that nobody has read.
  await setImmediate();
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
  });
  clearTimeout(cut);
  await runs;
  // Requests in flight may have started further ones.
  await endRunningRuns({ awaitedMs: 0, graceMs: 0 });
  await backgroundDone();
  await writeRefusedWebhooks();
  await jobs;
  await Promise.all([presence.end(), tracing.end()]);
  closeEmailSender();
  await closeDb();
  log().info(directCounts(), "pages rendered directly");
  process.exit(0);
}
