import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";

/** A small cycle takes two minutes where six programs share each core. */
export const TORTURE_MS = 310_000;
/** The last line of a run that found nothing. */
export const NO_FAULT = /^\d+ operations, seed \d+, 0 faults$/;

/** Runs torture in a process of its own, whose time it moves, and returns its last line. Throws with all it said after a fault. */
export async function runTorture(args: string[], timeout = TORTURE_MS - 10_000): Promise<string> {
  const own = ["--import", "tsx", "tests/torture/torture.command.ts", ...args];
  const options = { timeout, maxBuffer: 2 ** 26 };
  const { stdout, stderr } = await promisify(execFile)(process.execPath, own, options).catch(
    (error) => {
      throw new Error(`${error.message}\n${error.stdout}${error.stderr}`);
    },
  );
  return stdout.trimEnd().split("\n").at(-1) ?? stderr;
}

/**
 * Plays a history that a run printed.
 * @public Only a test that a run prints uses it.
 */
export async function playHistory(history: object): Promise<string> {
  const folder = await mkdtemp(path.join(os.tmpdir(), "torture-history-"));
  try {
    const file = path.join(folder, "history.json");
    await writeFile(file, JSON.stringify(history));
    return await runTorture(["--history", file, "--shrink", "0"]);
  } finally {
    await rm(folder, { recursive: true });
  }
}
