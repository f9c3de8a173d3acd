import { spawnSync } from "node:child_process";
import { readdirSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

const require = createRequire(import.meta.url);
const INPUTS = [
  "app",
  "public",
  "vite.config.ts",
  "remix.config.js",
  "package.json",
  "package-lock.json",
];

/** Builds for production unless the last build is newer than all its inputs. */
export function buildIfStale(): void {
  if (newestChange(["build/server/index.js"]) > newestChange(INPUTS)) return;
  console.log("Building…");
  const cli = require.resolve("@remix-run/dev/dist/cli.js");
  const { status, stdout, stderr } = spawnSync(process.execPath, [cli, "vite:build"], {
    encoding: "utf8",
    env: { ...process.env, NODE_ENV: "production" },
  });
  if (status !== 0) throw new Error(`the build failed:\n${stdout}\n${stderr}`);
}

function newestChange(paths: string[]): number {
  return Math.max(0, ...paths.flatMap(withAllBelow).map((file) => statSync(file).mtimeMs));
}

/** Includes folders: a deleted file shows only in its folder's modification time. */
function withAllBelow(start: string): string[] {
  const found = statSync(start, { throwIfNoEntry: false });
  if (!found) return [];
  if (!found.isDirectory()) return [start];
  const below = readdirSync(start, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() || entry.isDirectory())
    .map((entry) => path.join(entry.parentPath, entry.name));
  return [start, ...below];
}
