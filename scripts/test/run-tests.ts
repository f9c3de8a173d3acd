import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import { buildIfStale } from "./build-if-stale";
import { ensureChromium } from "./ensure-chromium";

const require = createRequire(import.meta.url);

/** Runs vitest with the given arguments and returns its exit code. */
export async function runTests(args: string[]): Promise<number> {
  const projects = args.flatMap((arg, at) => (arg === "--project" ? [args[at + 1]] : []));
  const runs = (project: string) => projects.length === 0 || projects.includes(project);
  if (["integration", "faults", "e2e"].some(runs)) buildIfStale();
  const env = { ...process.env };
  if (runs("e2e")) env.CHROMIUM_PATH = ensureChromium();

  const vitest = require.resolve("vitest/vitest.mjs");
  const { status } = spawnSync(process.execPath, [vitest, "run", ...args], {
    stdio: "inherit",
    env,
  });
  return status ?? 1;
}
