import cluster from "node:cluster";
import { existsSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { getEnv } from "~/env.server";
import { serializeError } from "~/utils/serialize-error";
import { expectsPooler, LOSES_STATEMENTS, readPooling } from "./db/pooler";
import { checkBuild } from "./lib/build-state.mjs";
import { helpText } from "./lib/command";
import { describeError } from "./lib/describe-error";
import { endWithNpm } from "./lib/end-with-npm";
import { runServerProcesses } from "./lib/server-processes";

// `npm start`: the production server. It loads `.env`, prints configuration errors as plain lines, and
// runs the build.

const USAGE = `Serves the production build on PORT (default 3000; 0 takes any free one), with WEB_CONCURRENCY
processes (default 1). Reads the environment and .env; .env.example lists every variable. On SIGTERM it
serves on for SHUTDOWN_DELAY seconds with /readyz at 503, and ends once requests in flight have finished.`;

if (wantsHelp()) {
  console.log(helpText({ name: "start", usage: USAGE }));
  process.exit(0);
}

if (existsSync(".env")) process.loadEnvFile(".env");
process.env.NODE_ENV ??= "production";

const build = checkBuild();
if (build === "missing") fail("There is no build yet: run `npm run build` first.");
if (build === "stale") fail("The build is older than the source code: run `npm run build` first.");

interface ServerEntry {
  createApp(options: { staticFiles: boolean }): import("express").Express;
  startServer(listener: import("express").Express): Promise<{ port: number }>;
}

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

function loadServer(): Promise<ServerEntry> {
  return import(pathToFileURL("build/server/index.js").href);
}

/**
 * Refuses a pooler that loses prepared statements, unless the address says so: each page would work, and
 * some requests would fail under load. A database that can't be reached now is no reason not to start.
 */
async function requireFittingPooler(databaseUrl: string): Promise<void> {
  if (expectsPooler(databaseUrl)) return;
  const reading = await readPooling(databaseUrl).catch(() => null);
  if (reading && !reading.keepsStatements) fail(`DATABASE_URL ${LOSES_STATEMENTS}`);
}

function wantsHelp(): boolean {
  try {
    const options = { help: { type: "boolean", short: "h" } } as const;
    return parseArgs({ options }).values.help ?? false;
  } catch (error) {
    return fail(`start: ${describeError(error).split(/\.\s/)[0]} (--help says more)`, 2);
  }
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

function fail(reason: string, exitCode = 1): never {
  console.error(reason);
  process.exit(exitCode);
}
