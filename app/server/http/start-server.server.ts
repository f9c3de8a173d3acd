import cluster from "node:cluster";
import type { RequestListener, Server } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { closeDb } from "~/db.server";
import { getEnv } from "~/env.server";
import { endRunningRuns } from "~/models/metering/running.server";
import { backgroundDone, countBackgroundTasks } from "~/server/background/background.server";
import { emailWorkers } from "~/server/background/email-delivery.server";
import { runWatch } from "~/server/background/run-watch.server";
import { thumbnailWorkers } from "~/server/background/thumbnail-workers.server";
import { logCrashes } from "~/server/http/crash-log.server";
import { createHttpServer } from "~/server/http/create-http-server.server";
import { directCounts } from "~/server/http/direct/direct-counts.server";
import { withStopping } from "~/server/http/guards/stopping.server";
import { httpLimits } from "~/server/http/http-limits.server";
import { bareHeaders } from "~/server/http/security-headers.server";
import { writeRefusedWebhooks } from "~/server/payments/refused-webhooks.server";
import { closeEmailSender } from "~/services/emails/smtp-sender.server";
import { log, setLogLevel } from "~/utils/logger.server";

/** Requests in flight get this long to finish once the server accepts no more. Then they are cut. */
const DRAIN_MS = 4_500;
/** Requests in flight wait this long for their runs. Then those that a provider knows go to another process. */
const AWAITED_MS = 2_500;
/** Other runs get this long to end. The rest is refunded. */
const RUNS_MS = 3_500;
/** Emails that wait are still begun for this long after that. Maintenance sends the rest. */
const EMAILS_MS = 3_000;
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
  // The parent of several processes says this once for all of them.
  if (cluster.isPrimary) for (const warning of env.warnings) log().warn(warning);

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
  stopOnSignal({
    delayMs: env.shutdownDelay * 1_000,
    begin: stopping.beginStopping,
    stop: () => stop(server),
  });
  runWatch.start();
  const { port } = server.address() as AddressInfo;
  if (cluster.isPrimary) log().info({ port }, "listening");
  return { port };
}

/**
 * Begins to stop at the first signal, and stops after the delay. Supervisors may signal a whole group of
 * processes and the parent of several signals them too, so a second SIGTERM changes nothing.
 */
function stopOnSignal({
  delayMs,
  begin,
  stop,
}: {
  delayMs: number;
  begin(): void;
  stop(): Promise<void>;
}): void {
  let isStopping = false;
  const hurry = new AbortController();
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.on(signal, async () => {
      if (signal === "SIGINT") hurry.abort();
      if (isStopping) return;
      isStopping = true;
      begin();
      if (cluster.isPrimary) log().info({ signal, delayMs }, "stopping");
      await pause(delayMs, undefined, { signal: hurry.signal }).catch(() => undefined);
      await stop();
    });
  }
}

async function stop(server: Server): Promise<void> {
  setTimeout(() => {
    const unfinished = countBackgroundTasks() + emailWorkers.count() + thumbnailWorkers.count();
    log().warn({ unfinished }, "stopped before everything was closed");
    process.exit(0);
  }, STOP_MS).unref();
  setTimeout(emailWorkers.stop, EMAILS_MS).unref();
  thumbnailWorkers.stop();
  runWatch.stop();
  const runs = endRunningRuns({ awaitedMs: AWAITED_MS, graceMs: RUNS_MS });
  // A response that had begun before the signal may have promised to keep its connection.
  server.keepAliveTimeout = 1;
  const cut = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
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
  await emailWorkers.done();
  await thumbnailWorkers.done();
  closeEmailSender();
  await closeDb();
  log().info(directCounts(), "pages rendered directly");
  process.exit(0);
}
