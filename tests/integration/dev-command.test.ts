import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { freePort } from "../../scripts/lib/free-port";
import { openDataDir } from "../../scripts/lib/open-folder";
import { createClient } from "../helpers/client";
import { uploadFile } from "../helpers/upload";

let clone: string;
const running = new Set<ChildProcess>();

/** A clone of what git tracks, in a folder closed to others (0700), with the packages linked in. */
beforeAll(() => {
  clone = mkdtempSync(path.join(os.tmpdir(), "dev-clone-"));
  const files = execFileSync("git", ["ls-files", "-co", "--exclude-standard"], {
    encoding: "utf8",
  });
  for (const file of files.trim().split("\n")) cpSync(file, path.join(clone, file));
  symlinkSync(path.resolve("node_modules"), path.join(clone, "node_modules"));
});

afterAll(async () => {
  for (const child of running) child.kill("SIGKILL");
  rmSync(await openDataDir(path.join(clone, ".data/postgres")), { recursive: true, force: true });
  rmSync(clone, { recursive: true, force: true });
});

interface DevRun {
  url: string;
  output: () => string;
  signal: (name: NodeJS.Signals) => void;
  exited: Promise<number | null>;
}

async function runDev(): Promise<DevRun> {
  const child = spawn(process.execPath, ["scripts/dev.mjs"], {
    cwd: clone,
    env: {
      NODE_ENV: "development",
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      PORT: String(await freePort()),
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  running.add(child);
  let output = "";
  const exited = new Promise<number | null>((resolve) => child.once("exit", resolve));
  const url = await new Promise<string>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      output += chunk;
      const ready = output.match(/Ready in .*?(http:\/\/\S+)/);
      if (ready?.[1]) resolve(ready[1]);
    };
    child.stdout.on("data", read);
    child.stderr.on("data", read);
    void exited.then((code) => reject(new Error(`dev ended (${code}):\n${output}`)));
  });
  return { url, output: () => output, signal: (name) => child.kill(name), exited };
}

/** Processes whose command line names the clone: its servers, by script or data directory. */
function leftovers(): string[] {
  const marks = [clone, clone.replace(/[^a-zA-Z0-9]+/g, "-")];
  return execFileSync("ps", ["-eo", "args="], { encoding: "utf8" })
    .split("\n")
    .filter((line) => marks.some((mark) => line.includes(mark)));
}

const SIGN_IN = { email: "demo@example.com", password: "demo-password-1234" };

test("dev serves the real thing, keeps its data over a restart, and leaves no process behind", async () => {
  const first = await runDev();
  expect(first.output()).toContain(`${SIGN_IN.email}  /  ${SIGN_IN.password}`);
  expect((await fetch(`${first.url}/readyz`)).status).toBe(200);
  const client = createClient(first.url);
  expect((await client.post("/en/sign-in", SIGN_IN)).status).toBe(303);
  const { fileId } = await uploadFile(client);
  first.signal("SIGINT");
  expect(await first.exited).toBe(0);
  expect(leftovers()).toEqual([]);

  const second = await runDev();
  const again = createClient(second.url);
  await again.post("/en/sign-in", SIGN_IN);
  const file = await again.json("GET", `/api/storage/files/${fileId}`);
  expect((await fetch(file.body.url as string)).status).toBe(200);
  second.signal("SIGTERM");
  expect(await second.exited).toBe(0);
  expect(leftovers()).toEqual([]);
}, 120_000);

test("a part that dies is named in one line and ends the rest", async () => {
  const dev = await runDev();
  const s3 = execFileSync("pgrep", ["-f", `${clone}/scripts/dev/s3.part`], { encoding: "utf8" });
  process.kill(Number.parseInt(s3, 10), "SIGKILL");
  expect(await dev.exited).toBe(1);
  expect(dev.output()).toContain("S3 ended (SIGKILL)");
  expect(leftovers()).toEqual([]);
}, 60_000);

test("dev that is killed outright takes its parts with it", async () => {
  const dev = await runDev();
  dev.signal("SIGKILL");
  await dev.exited;
  await expect.poll(leftovers, { timeout: 15_000 }).toEqual([]);
}, 60_000);
