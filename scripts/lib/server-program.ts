import { existsSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { describeError } from "~/utils/describe-error";
import { expectsPooler, LOSES_STATEMENTS, readPooling } from "../db/pooler";
import { checkBuild } from "./build-state.mjs";
import { helpText } from "./command";

// Shared by the two programs that run the server's build.

interface Program {
  /** As typed after `npm run`. */
  name: string;
  usage: string;
}

type ServerEntry = Pick<
  typeof import("../../app/server/http/http.server"),
  "createApp" | "startServer" | "runWorkerProcess"
>;

/** Prints the help if it is asked for, loads `.env`, and refuses a build that is missing or old. */
export function prepareProgram({ name, usage }: Program): void {
  if (wantsHelp(name)) {
    console.log(helpText({ name, usage }));
    process.exit(0);
  }
  if (existsSync(".env")) process.loadEnvFile(".env");
  process.env.NODE_ENV ??= "production";

  const build = checkBuild();
  if (build === "missing") fail("There is no build yet: run `npm run build` first.");
  if (build === "stale")
    fail("The build is older than the source code: run `npm run build` first.");
}

export function loadServer(): Promise<ServerEntry> {
  return import(pathToFileURL("build/server/index.js").href);
}

/**
 * Refuses a pooler that loses prepared statements, unless the address says so: each page would work, and
 * some requests would fail under load. A database that can't be reached now is no reason not to start.
 */
export async function requireFittingPooler(databaseUrl: string): Promise<void> {
  if (expectsPooler(databaseUrl)) return;
  const reading = await readPooling(databaseUrl).catch(() => null);
  if (reading && !reading.keepsStatements) fail(`DATABASE_URL ${LOSES_STATEMENTS}`);
}

export function fail(reason: string, exitCode = 1): never {
  console.error(reason);
  process.exit(exitCode);
}

function wantsHelp(name: string): boolean {
  try {
    const options = { help: { type: "boolean", short: "h" } } as const;
    return parseArgs({ options }).values.help ?? false;
  } catch (error) {
    return fail(`${name}: ${describeError(error).split(/\.\s/)[0]} (--help says more)`, 2);
  }
}
