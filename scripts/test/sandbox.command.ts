import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { z } from "zod";
import { runCommand } from "../lib/command";
import { requireTestCredentials } from "./test-credentials";
import { VITEST_SCRIPT } from "./vitest-script";

/** Number of tests; the run fails if one is missing or skipped. */
const EXPECTED = 2;

const report = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  numPendingTests: z.number(),
  numTodoTests: z.number(),
});

await runCommand({
  name: "test:sandbox",
  usage: `Tests the payment provider in PAYMENTS_PROVIDER itself, in its test mode: a checkout session for
everything that has a price, and the customer portal. Nothing is paid. Needs the provider's test key and
at least one price or product; refuses live keys. Exit code 0: both tests passed.`,
  async run({ print }) {
    requireTestCredentials(process.env);
    const { passed, failed, skipped } = runVitest();
    print(`${passed} passed, ${failed} failed, ${skipped} skipped`);
    return passed === EXPECTED && failed === 0 && skipped === 0 ? 0 : 1;
  },
});

function runVitest(): { passed: number; failed: number; skipped: number } {
  const folder = mkdtempSync(path.join(os.tmpdir(), "test-sandbox-"));
  try {
    const file = path.join(folder, "report.json");
    const args = ["--config", "tests/sandbox/vitest.config.ts", "--reporter=default"];
    spawnSync(
      process.execPath,
      [VITEST_SCRIPT, "run", ...args, "--reporter=json", `--outputFile.json=${file}`],
      { stdio: "inherit" },
    );
    const counts = report.parse(JSON.parse(readFileSync(file, "utf8")));
    return {
      passed: counts.numPassedTests,
      failed: counts.numFailedTests,
      skipped: counts.numPendingTests + counts.numTodoTests,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
