// `npm test [-- vitest arguments]`: installs what is missing, builds if the build is stale, then
// runs unit, integration and browser tests. Ends with vitest's own summary.
import { ensureInstalled } from "./lib/ensure-installed.mjs";

const USAGE = `npm test [-- <file>… [vitest's options]]

Installs what is missing, builds if the build is stale, and runs the unit, integration and browser tests.
Without Chromium the browser tests fail with one line, and the others run.
npm run test:unit, test:integration, test:e2e, test:faults, test:long and test:drills run a part each.

  -t <text>   only tests whose name matches
  -h, --help  print this, and run nothing`;

const args = process.argv.slice(2);
if (args.includes("--help") || args.includes("-h")) {
  console.log(USAGE);
} else {
  await ensureInstalled();
  const { register } = await import("tsx/esm/api");
  register();
  const { runTests } = await import(new URL("./test/run-tests.ts", import.meta.url).href);
  process.exitCode = await runTests(args);
}
