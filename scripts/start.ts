import cluster from "node:cluster";
import { getEnv } from "~/env.server";
import { serializeError } from "~/utils/serialize-error";
import { endWithNpm } from "./lib/end-with-npm";
import { runServerProcesses } from "./lib/server-processes";
import { fail, loadServer, prepareProgram, requireFittingPooler } from "./lib/server-program";

// `npm start`: the production server. It loads `.env`, prints configuration errors as plain lines, and
// runs the build.

const USAGE = `Serves the production build on PORT (default 3000; 0 takes any free one), with WEB_CONCURRENCY
processes (default 1), and does background work unless WORKER is off. Reads the environment and .env; .env.example
lists every variable. On SIGTERM it serves on for SHUTDOWN_DELAY seconds with /readyz at 503, and ends once requests in
flight have finished.`;

prepareProgram({ name: "start", usage: USAGE });

try {
  const { processes, databaseUrl } = getEnv();
  if (cluster.isPrimary) endWithNpm("start");
  const fits = cluster.isPrimary ? requireFittingPooler(databaseUrl) : undefined;
  if (processes > 1 && cluster.isPrimary) {
    await fits;
    await runServerProcesses(processes);
  } else {
    // Loaded while the database is asked.
    const [{ createApp, startServer }] = await Promise.all([loadServer(), fits]);
    await startServer(createApp({ staticFiles: true }));
  }
} catch (error) {
  fail(plainReason(error));
}

/** Returns one line for an error that the operator can fix; message and stack for any other. */
function plainReason(error: unknown): string {
  const { stack, message } = serializeError(error);
  if (!(error instanceof Error)) return message;
  if (error.name === "ConfigurationError") return error.message;
  const { code, syscall, port } = error as NodeJS.ErrnoException & { port?: number };
  if (code === "EADDRNOTAVAIL" || (code === "ENOTFOUND" && syscall === "getaddrinfo"))
    return "HOST is no address of this machine: unset it to listen on every address.";
  // A process that shares its port reports its parent's `bind`.
  if (syscall !== "listen" && syscall !== "bind") return stack ?? message;
  if (code === "EADDRINUSE") return `Port ${port} is taken: set PORT to another one.`;
  if (code === "EACCES") return `This user may not listen on port ${port}: set PORT above 1023.`;
  return error.message;
}
