import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";

// A process of its own: the run moves the time of the process that it is in.

const ARGS = ["--seed", "33", "--cycles", "1", "--size", "small"];
/** It takes half a minute on two idle cores, and another test file runs beside it. */
const MOST_MS = 180_000;

test("a short run of random histories over two servers, a worker and broken machines finds no fault", {
  timeout: MOST_MS + 10_000,
}, async () => {
  const args = ["--import", "tsx", "tests/torture/torture.command.ts", ...ARGS];
  const options = { timeout: MOST_MS, maxBuffer: 2 ** 26 };
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args, options).catch(
    (error) => error,
  );
  expect(stdout.trimEnd().split("\n").at(-1), stdout + stderr).toMatch(
    /^\d+ operations, seed 33, 0 faults$/,
  );
});
