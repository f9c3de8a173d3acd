import { getEnv } from "~/env.server";
import { endWithNpm } from "./lib/end-with-npm";
import { plainReason } from "./lib/plain-reason";
import { fail, loadServer, prepareProgram, requireFittingPooler } from "./lib/server-program";

// `npm run worker`: background work without a web server, in the server's own build.

const USAGE = `Does background work (emails, thumbnails, files to be removed, jobs of your own) and serves nothing but /metrics and
/healthz on METRICS_PORT, where that is set. For machines beside the servers, whose WORKER is off then; any number of workers share the jobs. Reads the environment and .env, the
same as the server's. On SIGTERM it takes no more jobs, and ends within 5 seconds.`;

prepareProgram({ name: "worker", usage: USAGE });

try {
  const { databaseUrl } = getEnv();
  endWithNpm("worker");
  const [{ runWorkerProcess }] = await Promise.all([
    loadServer(),
    requireFittingPooler(databaseUrl),
  ]);
  await runWorkerProcess();
} catch (error) {
  fail(plainReason(error, "METRICS_PORT"));
}
