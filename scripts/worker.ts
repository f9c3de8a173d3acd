import { getEnv } from "~/env.server";
import { describeError } from "~/utils/describe-error";
import { endWithNpm } from "./lib/end-with-npm";
import { fail, loadServer, prepareProgram, requireFittingPooler } from "./lib/server-program";

// `npm run worker`: background work without a web server, in the server's own build.

const USAGE = `Does background work (emails, thumbnails, files to be removed, jobs of your own) and serves nothing. For machines
beside the servers, whose WORKER is off then; any number of workers share the jobs. Reads the environment and .env, the
same as the server's. On SIGTERM it takes no more jobs, and ends within 5 seconds.`;

prepareProgram({ name: "worker", usage: USAGE });

try {
  const { databaseUrl } = getEnv();
  endWithNpm("worker");
  const [{ runWorkerProcess }] = await Promise.all([
    loadServer(),
    requireFittingPooler(databaseUrl),
  ]);
  runWorkerProcess();
} catch (error) {
  const isOfConfiguration = error instanceof Error && error.name === "ConfigurationError";
  fail(isOfConfiguration ? error.message : describeError(error));
}
