import cluster from "node:cluster";
import { getEnv } from "~/env.server";
import { endWithNpm } from "./lib/end-with-npm";
import { plainReason } from "./lib/plain-reason";
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
  fail(plainReason(error, "PORT"));
}
