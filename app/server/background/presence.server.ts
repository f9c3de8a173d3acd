import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { hostname } from "node:os";
import type { Env } from "~/env.server";
import {
  announceProcess,
  forgetProcess,
  type ServerProcess,
} from "~/models/upkeep/server-processes.server";
import { fingerprintOf } from "~/utils/fingerprint.server";
import { log } from "~/utils/logger.server";

const RENEWAL_MS = 30_000;

/**
 * Says that this process runs, with its version and which secret it has, so that operators see whether all processes
 * agree. It says so again every 30 seconds until `end`.
 */
export function announcePresence(
  env: Env,
  { kind, works }: Pick<ServerProcess, "kind" | "works">,
): { end(): Promise<void> } {
  const self: ServerProcess = {
    id: randomUUID(),
    kind,
    works,
    host: hostname(),
    pid: process.pid,
    version: readVersion(),
    fingerprint: fingerprintOf(env.authSecret),
  };
  // A database that is away or behind is reported elsewhere.
  const announce = () =>
    announceProcess(self).catch((error: unknown) =>
      log().debug({ err: error }, "presence not written"),
    );
  let last = announce();
  const timer = setInterval(() => {
    last = announce();
  }, RENEWAL_MS).unref();
  return {
    async end() {
      clearInterval(timer);
      await last;
      await forgetProcess(self).catch(() => undefined);
    },
  };
}

/** The package's version, the commit if the build knows it, and the build. */
export function readVersion(): string {
  const { version } = JSON.parse(read("package.json") || "{}") as { version?: string };
  const commit = read("build/commit");
  const build = read("build/sources.sha256").slice(0, 10);
  return [version ?? "?", commit && `commit ${commit}`, build && `build ${build}`]
    .filter(Boolean)
    .join(", ");
}

function read(file: string): string {
  try {
    return readFileSync(file, "utf8").trim();
  } catch {
    return "";
  }
}
