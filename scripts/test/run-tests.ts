import { spawnSync } from "node:child_process";
import { buildIfStale } from "./build-if-stale";
import { ensureChromium } from "./ensure-chromium";
import { VITEST_SCRIPT } from "./vitest-script";

/** The projects of `npm test`. `faults` and `long` are `npm run test:long`, `drills` is `npm run test:drills`. */
const EVERY_DAY = ["unit", "dom", "integration", "e2e"];

/** Runs vitest with the given arguments and returns its exit code. */
export async function runTests(args: string[]): Promise<number> {
  const named = args.flatMap((arg, at) => (arg === "--project" ? [args[at + 1] ?? ""] : []));
  const projects = named.length > 0 ? named : EVERY_DAY;
  const runs = (project: string) => projects.includes(project);
  if (["integration", "faults", "drills", "long", "e2e"].some(runs)) buildIfStale();
  const env = { ...process.env };
  if (["e2e", "faults", "long"].some(runs)) env.CHROMIUM_PATH = ensureChromium();

  const chosen = named.length > 0 ? [] : EVERY_DAY.flatMap((project) => ["--project", project]);
  const { status } = spawnSync(process.execPath, [VITEST_SCRIPT, "run", ...chosen, ...args], {
    stdio: "inherit",
    env,
  });
  return status ?? 1;
}
