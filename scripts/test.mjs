// `npm test [-- vitest arguments]`: installs what is missing, builds if the build is stale, then
// runs unit, integration and browser tests. Ends with vitest's own summary.
import { ensureInstalled } from "./lib/ensure-installed.mjs";

await ensureInstalled();
const { register } = await import("tsx/esm/api");
register();
const { runTests } = await import(new URL("./test/run-tests.ts", import.meta.url).href);
process.exitCode = await runTests(process.argv.slice(2));
