import { execFile } from "node:child_process";
import { cp, mkdtemp, rm, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { type ServingProcess, startServing } from "./serving-process";

const SOURCE = fileURLToPath(new URL("./bare-app", import.meta.url));

export interface BareApp {
  /** Starts it under `@remix-run/serve`, with this database for its webhook. */
  start(databaseUrl: string): Promise<ServingProcess>;
}

/**
 * Builds the bare Remix app that pages, routes and webhooks are compared with, in a folder of its own,
 * and deletes it after `work`.
 */
export async function withBareApp<T>(work: (app: BareApp) => Promise<T>): Promise<T> {
  const require = createRequire(import.meta.url);
  const binary = (name: string) =>
    path.join(path.dirname(require.resolve(`${name}/package.json`)), "dist/cli.js");
  const folder = await mkdtemp(path.join(os.tmpdir(), "credits-bare-"));
  try {
    await cp(SOURCE, folder, { recursive: true });
    await symlink(path.resolve("node_modules"), path.join(folder, "node_modules"));
    const build = [binary("@remix-run/dev"), "vite:build"];
    const env = { ...process.env, NODE_ENV: "production" as const };
    await promisify(execFile)(process.execPath, build, { cwd: folder, env });
    return await work({
      start: (databaseUrl) =>
        startServing({
          args: [binary("@remix-run/serve"), "build/server/index.js"],
          cwd: folder,
          readyPath: "/",
          env: { DATABASE_URL: databaseUrl },
        }),
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
