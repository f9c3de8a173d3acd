import { spawnSync } from "node:child_process";
import { buildIfStale } from "./build-if-stale";
import { ensureChromium } from "./ensure-chromium";
import { VITEST_SCRIPT } from "./vitest-script";

/** The projects of `npm test`. `faults` and `long` are `npm run test:long`, `drills` is `npm run test:drills`. */
const EVERY_DAY = ["unit", "dom", "integration", "e2e"];
const ON_A_BUILD = ["integration", "faults", "drills", "long", "e2e"];
const IN_A_BROWSER = ["e2e", "faults", "long"];

/**
 * Runs vitest with the given arguments and returns its exit code. Without Chromium the projects that need it fail
 * with one line, and the others run.
 */
export async function runTests(args: string[]): Promise<number> {
  const named = args.filter((_arg, at) => args[at - 1] === "--project");
  const rest = args.filter((arg, at) => arg !== "--project" && args[at - 1] !== "--project");
  const wanted = named.length > 0 ? named : EVERY_DAY;
  const needsBrowser = (project: string) => IN_A_BROWSER.includes(project);

  const inBrowser = wanted.filter(needsBrowser);
  const chromium = inBrowser.length > 0 ? findBrowser(inBrowser) : null;
  const projects = chromium ? wanted : wanted.filter((project) => !needsBrowser(project));
  if (projects.length === 0) return 1;
  if (projects.some((project) => ON_A_BUILD.includes(project))) buildIfStale();
  const chosen = projects.flatMap((project) => ["--project", project]);
  const { status } = spawnSync(process.execPath, [VITEST_SCRIPT, "run", ...chosen, ...rest], {
    stdio: "inherit",
    env: { ...process.env, ...(chromium ? { CHROMIUM_PATH: chromium } : {}) },
  });
  return projects.length < wanted.length ? 1 : (status ?? 1);
}

/** Returns the path of Chromium. Without one it says in one line what fails and how to get it, and returns null. */
function findBrowser(projects: string[]): string | null {
  try {
    return ensureChromium();
  } catch (error) {
    console.error(`The tests of ${projects.join(" and ")} fail: ${(error as Error).message}`);
    return null;
  }
}
