import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { closeDb } from "~/db.server";
import { getEnv } from "~/env.server";
import { log, setLogLevel } from "~/utils/logger.server";

/** Requests in flight get this long to finish after SIGTERM before their connections are cut. */
const DRAIN_MS = 4_500;

/**
 * Listens on `PORT` (0 takes any free one) and resolves once it does. On SIGTERM and SIGINT it
 * stops accepting, lets requests in flight finish, closes the database pool and ends the process.
 */
export async function startServer(listener: RequestListener): Promise<{ port: number }> {
  const env = getEnv();
  setLogLevel(env.logLevel);
  for (const warning of env.warnings) log().warn(warning);

  const server = createServer(listener);
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(env.port, resolve);
  });
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.once(signal, () => void stop(server, signal));
  }
  const { port } = server.address() as AddressInfo;
  log().info({ port }, "listening");
  return { port };
}

async function stop(server: Server, signal: string): Promise<void> {
  log().info({ signal }, "stopping");
  const cut = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
  });
  clearTimeout(cut);
  await closeDb();
  process.exit(0);
}
