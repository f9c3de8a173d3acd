import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";

// A process of its own: the run moves the time of the process that it is in.

const COMMAND = ["--import", "tsx", "tests/torture/torture.command.ts"];

test("a short run of random histories over two servers, a worker and broken machines finds no fault", async () => {
  const args = [...COMMAND, "--seed", "33", "--cycles", "1", "--size", "small"];
  const { stdout } = await promisify(execFile)(process.execPath, args).catch((error) => error);
  expect(stdout.trimEnd().split("\n").at(-1)).toMatch(/^\d+ operations, seed 33, 0 faults$/);
});
