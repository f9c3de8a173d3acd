import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, afterEach, beforeAll, expect } from "vitest";
import { freePort } from "../../scripts/lib/free-port";
import { openDataDir } from "../../scripts/lib/open-folder";

export const DEMO = { email: "demo@example.com", password: "demo-password-1234" };

interface DevRun {
  url: string;
  output: () => string;
  signal: (name: NodeJS.Signals) => void;
  exited: Promise<number | null>;
}

/** A copy of the project for all tests of a file, by default of the files tracked by git, and `npm run dev` in it. */
export function withDevClone(makeClone = copyTracked) {
  let clone = "";
  const running = new Set<ChildProcess>();

  beforeAll(() => {
    clone = makeClone();
  });

  // A test that failed leaves no dev behind, which the next one would find running.
  afterEach(() => {
    for (const child of running) child.kill("SIGKILL");
  });

  afterAll(async () => {
    // Without a clone these would be this project's own data.
    if (!clone) return;
    rmSync(await openDataDir(path.join(clone, ".data/postgres")), { recursive: true, force: true });
    rmSync(clone, { recursive: true, force: true });
  });

  async function spawnDev(
    args: string[] = [],
    env: Record<string, string> = {},
    program = [process.execPath, "scripts/dev.mjs"],
  ): Promise<ChildProcess> {
    const [file = "", ...first] = program;
    const child = spawn(file, [...first, ...args], {
      cwd: clone,
      env: { ...(await devEnvironment()), ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    running.add(child);
    return child;
  }

  /** Runs dev and waits until it reports that it serves. */
  async function runDev(args: string[] = [], env: Record<string, string> = {}): Promise<DevRun> {
    const child = await spawnDev(args, env);
    let output = "";
    const exited = new Promise<number | null>((resolve) => child.once("exit", resolve));
    const url = await new Promise<string>((resolve, reject) => {
      const read = (chunk: Buffer) => {
        output += chunk;
        const ready = output.match(/Ready in .*?(http:\/\/\S+)/);
        if (ready?.[1]) resolve(ready[1]);
      };
      child.stdout?.on("data", read);
      child.stderr?.on("data", read);
      void exited.then((code) => reject(new Error(`dev ended (${code}):\n${output}`)));
    });
    return { url, output: () => output, signal: (name) => child.kill(name), exited };
  }

  /** Runs dev when it is expected to exit by itself. */
  async function tryDev(args: string[], env: Record<string, string> = {}) {
    return spawnSync(process.execPath, ["scripts/dev.mjs", ...args], {
      cwd: clone,
      env: { ...(await devEnvironment()), ...env },
      encoding: "utf8",
      timeout: 30_000,
    });
  }

  const pidsOf = (part: string) =>
    spawnSync("pgrep", ["-f", `${clone}/scripts/dev/${part}.part`], { encoding: "utf8" })
      .stdout.split("\n")
      .filter(Boolean)
      .map(Number);

  async function pidOf(part: string): Promise<number> {
    await expect.poll(() => pidsOf(part).length, { interval: 20 }).toBe(1);
    return pidsOf(part)[0] ?? 0;
  }

  /** Processes whose command line names the clone: its servers, by script or data directory. */
  function leftovers(): string[] {
    const marks = [clone, clone.replace(/[^a-zA-Z0-9]+/g, "-")];
    return execFileSync("ps", ["-eo", "args="], { encoding: "utf8" })
      .split("\n")
      .filter((line) => marks.some((mark) => line.includes(mark)));
  }

  return { folder: () => clone, spawnDev, runDev, tryDev, pidOf, leftovers };
}

function copyTracked(): string {
  // In a folder closed to other users (0700).
  const clone = mkdtempSync(path.join(os.tmpdir(), "dev-clone-"));
  const list = ["ls-files", "-co", "--exclude-standard"];
  const files = execFileSync("git", list, { encoding: "utf8" }).trim().split("\n");
  for (const file of files) cpSync(file, path.join(clone, file));
  linkPackages(path.join(clone, "node_modules"));
  return clone;
}

/** Links every package, except Vite's cache beside them: the clone has its own, new one. */
function linkPackages(folder: string): void {
  mkdirSync(folder);
  for (const name of readdirSync("node_modules")) {
    if (name.startsWith(".vite")) continue;
    symlinkSync(path.resolve("node_modules", name), path.join(folder, name));
  }
}

async function devEnvironment() {
  const { PATH, HOME } = process.env;
  return { NODE_ENV: "development", PATH, HOME, PORT: String(await freePort()) } as const;
}
