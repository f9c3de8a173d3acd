import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

const PATIENCE = { timeout: 60_000, interval: 100 };
const TEST_MS = 120_000;
let temporary: string;
let run: ChildProcess | null = null;

beforeEach(async () => {
  temporary = await mkdtemp(path.join(os.tmpdir(), "torture-stopped-"));
  // PostgreSQL has a user of its own where we are root.
  await chmod(temporary, 0o755);
});

afterEach(async () => {
  if (isRunning(run)) {
    run?.kill("SIGKILL");
    await once(run ?? process, "exit");
  }
  await rm(temporary, { recursive: true, force: true, maxRetries: 5 });
});

const isRunning = (child: ChildProcess | null) =>
  child !== null && child.exitCode === null && child.signalCode === null;

/** Folders of runs. The loader of TypeScript keeps one of its own beside them. */
const folders = async () =>
  (await readdir(temporary)).filter((name) => name.startsWith("torture-"));

/** The text of a file that the run has made in its folder; empty as long as there is none. */
async function read(file: string): Promise<string> {
  const [folder = ""] = await folders();
  return readFile(path.join(temporary, folder, file), "utf8").catch(() => "");
}

/** The processes that the run has started. */
async function children(): Promise<number[]> {
  const { stdout } = await promisify(execFile)("ps", ["-o", "pid=,ppid=", "-A"]);
  const pairs = stdout.trim().split("\n");
  return pairs
    .map((pair) => pair.trim().split(/\s+/).map(Number))
    .flatMap(([pid = 0, parent]) => (parent === run?.pid ? [pid] : []));
}

test.each([
  ["while it opens its shop", "SIGINT", 130, () => read("postgres/postmaster.pid"), 1],
  ["while it plays", "SIGTERM", 143, () => read("logs/worker.log"), 4],
] as const)(
  "a run that is stopped %s leaves no process and no file behind",
  {
    timeout: TEST_MS,
  },
  async (_when, signal, code, sign, programs) => {
    const args = ["--import", "tsx", "tests/torture/torture.command.ts", "--size", "small"];
    run = spawn(process.execPath, args, {
      env: { ...process.env, TMPDIR: temporary },
      stdio: "ignore",
    });
    const ended = once(run, "exit");
    await vi.waitFor(async () => expect(await sign()).not.toBe(""), PATIENCE);
    const started = await children();
    expect(started.length).toBeGreaterThanOrEqual(programs);

    run.kill(signal);
    // Sent twice, as by somebody who presses the keys again.
    run.kill(signal);

    expect(await ended).toEqual([code, null]);
    expect(await folders()).toEqual([]);
    await vi.waitFor(() => {
      for (const pid of started) expect(() => process.kill(pid, 0)).toThrow("ESRCH");
    }, PATIENCE);
  },
);
