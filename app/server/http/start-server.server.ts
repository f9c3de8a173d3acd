import cluster from "node:cluster";
import type { RequestListener, Server } from "node:http";
import type { AddressInfo } from "node:net";
import { closeDb } from "~/db.server";
import { getEnv } from "~/env.server";
import { backgroundDone, countBackgroundTasks } from "~/server/background.server";
import { countEmailWorkers, emailsDone, stopSendingEmails } from "~/server/email-delivery.server";
import { logCrashes } from "~/server/http/crash-log.server";
import { createHttpServer } from "~/server/http/create-http-server.server";
import { httpLimits } from "~/server/http/http-limits.server";
import { settleRunningGenerations } from "~/server/running-generations.server";
import { preparePasswordCheck } from "~/services/auth/password-strength.server";
import { closeEmailSender } from "~/services/email/smtp-sender.server";
import { log, setLogLevel } from "~/utils/logger.server";

/** Requests in flight get this long to finish after SIGTERM before their connections are cut. */
const DRAIN_MS = 4_500;
/** Generations that nobody waits for get this long after SIGTERM. The rest is refunded. */
const GENERATIONS_MS = 3_500;
/** Emails that wait are still begun for this long after SIGTERM. Maintenance sends the rest. */
const EMAILS_MS = 3_000;
/** The process always ends this long after SIGTERM, even if the database doesn't respond. */
const STOP_MS = 4_800;

/**
 * Listens on `PORT` (0 takes any free port) of `host`, or of every address, and resolves once it
 * listens. On SIGTERM and SIGINT it stops accepting, lets requests in flight and emails finish,
 * closes the database pool and ends the process.
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
  // Before any request waits for it. In development, the first sign-up can wait instead.
  if (env.nodeEnv === "production") await preparePasswordCheck();

  const server = createHttpServer((request, response) => {
    // Express itself refuses a target it can't parse, before the middleware that should refuse it.
    if (!request.url?.startsWith("/")) request.url = "*";
    listener(request, response);
  }, httpLimits(env));
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen({ port: env.port, host }, resolve);
  });
  // Ctrl-C reaches every process of the terminal, and the parent of several sends SIGTERM as well.
  let isStopping = false;
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.on(signal, () => {
      if (isStopping) return;
      isStopping = true;
      void stop(server, signal);
    });
  }
  const { port } = server.address() as AddressInfo;
  if (cluster.isPrimary) log().info({ port }, "listening");
  return { port };
}

async function stop(server: Server, signal: string): Promise<void> {
  if (cluster.isPrimary) log().info({ signal }, "stopping");
  setTimeout(() => {
    const unfinished = countBackgroundTasks() + countEmailWorkers();
    log().warn({ unfinished }, "stopped before everything was closed");
    process.exit(0);
  }, STOP_MS).unref();
  setTimeout(stopSendingEmails, EMAILS_MS).unref();
  const generations = settleRunningGenerations(GENERATIONS_MS);
  // Responses from now on leave no connection open.
  server.keepAliveTimeout = 1;
  const cut = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
  });
  clearTimeout(cut);
  await generations;
  // Requests in flight may have started further ones.
  await settleRunningGenerations(0);
  await backgroundDone();
  await emailsDone();
  closeEmailSender();
  await closeDb();
  process.exit(0);
}
