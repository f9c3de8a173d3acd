import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { freePort } from "../../scripts/lib/free-port";
import { openDataDir } from "../../scripts/lib/open-folder";
import { createClient } from "../helpers/client";
import { buyAt, controlOf, readBalance } from "../helpers/dev-payments";
import { press } from "../helpers/payments";
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

async function devEnvironment() {
  const { PATH, HOME } = process.env;
  return { NODE_ENV: "development", PATH, HOME, PORT: String(await freePort()) } as const;
}

async function spawnDev(env: Record<string, string> = {}): Promise<ChildProcess> {
  const child = spawn(process.execPath, ["scripts/dev.mjs"], {
    cwd: clone,
    env: { ...(await devEnvironment()), ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  running.add(child);
  return child;
}

/** Runs dev where it is expected to end by itself. */
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
  await expect.poll(() => pidsOf(part).length, { timeout: 15_000, interval: 20 }).toBe(1);
  return pidsOf(part)[0] ?? 0;
}

async function runDev(env: Record<string, string> = {}): Promise<DevRun> {
  const child = await spawnDev(env);
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

test("at the payment stand-in one buys and subscribes, and a restart forgets neither", async () => {
  const first = await runDev();
  const client = createClient(first.url);
  await client.post("/en/sign-in", SIGN_IN);
  const before = await readBalance(client);
  await buyAt(client, "/api/payments/checkout", { skuKey: "credits_small" });
  const plan = { planKey: "starter", period: "month" };
  await buyAt(client, "/api/payments/subscription/checkout", plan);
  expect(await readBalance(client)).toBe(before + 100 + 300);
  first.signal("SIGINT");
  expect(await first.exited).toBe(0);

  const second = await runDev();
  const again = createClient(second.url);
  await again.post("/en/sign-in", SIGN_IN);
  const canceled = await again.json("POST", "/api/payments/subscription/cancel", {});
  expect(canceled).toMatchObject({ status: 200, body: { cancelAtPeriodEnd: true } });
  const portal = String((await again.json("POST", "/api/payments/portal")).body.url);
  const subscription = /name="subscription" value="([^"]+)"/.exec(
    await (await fetch(portal)).text(),
  )?.[1];
  await press(portal, { subscription: subscription ?? "", intent: "cancel_now" });
  // Its secrets are new since the restart, and so are the app's.
  const control = controlOf(second.output());
  await expect
    .poll(async () => (await (await fetch(`${control}/deliveries`)).json()) as object)
    .toMatchObject([
      { type: "customer.subscription.updated", attempts: [{ status: 200 }] },
      { type: "customer.subscription.deleted", attempts: [{ status: 200 }] },
    ]);
  second.signal("SIGINT");
  expect(await second.exited).toBe(0);
}, 120_000);

test("PAYMENTS_PROVIDER alone chooses the stand-in", async () => {
  const dev = await runDev({ PAYMENTS_PROVIDER: "creem" });
  const client = createClient(dev.url);
  await client.post("/en/sign-in", SIGN_IN);
  const before = await readBalance(client);
  const { provider } = await buyAt(client, "/api/payments/checkout", { skuKey: "credits_medium" });
  expect(provider).toBe("creem");
  expect(await readBalance(client)).toBe(before + 500);
  expect(await (await fetch(`${controlOf(dev.output())}/state`)).json()).toHaveProperty(
    "checkouts",
  );
  dev.signal("SIGINT");
  expect(await dev.exited).toBe(0);
}, 60_000);

test("a part that dies is named in one line and ends the rest", async () => {
  const dev = await runDev();
  process.kill(await pidOf("s3"), "SIGKILL");
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

test("dev that is killed while its parts start leaves none of them", async () => {
  const child = await spawnDev();
  const exited = new Promise((resolve) => child.once("exit", resolve));
  await pidOf("postgres");
  child.kill("SIGKILL");
  await exited;
  await expect.poll(leftovers, { timeout: 15_000 }).toEqual([]);
}, 60_000);

test("a PostgreSQL whose part is killed outright is stopped", async () => {
  const dev = await runDev();
  process.kill(await pidOf("postgres"), "SIGKILL");
  expect(await dev.exited).toBe(1);
  expect(dev.output()).toContain("PostgreSQL ended (SIGKILL)");
  expect(leftovers()).toEqual([]);
}, 60_000);

test("a first start that is killed while it makes the data directory is made good by the next", async () => {
  const dataDir = await openDataDir(path.join(clone, ".data/postgres"));
  rmSync(dataDir, { recursive: true, force: true });
  const unfinished = () =>
    readdirSync(path.dirname(dataDir)).filter((name) =>
      name.startsWith(`${path.basename(dataDir)}.new-`),
    );
  const child = await spawnDev();
  const exited = new Promise((resolve) => child.once("exit", resolve));
  const part = await pidOf("postgres");
  await expect.poll(() => unfinished().length, { timeout: 15_000, interval: 10 }).toBe(1);
  process.kill(part, "SIGKILL");
  await exited;
  expect(readdirSync(path.dirname(dataDir))).not.toContain(path.basename(dataDir));

  const dev = await runDev();
  expect((await fetch(`${dev.url}/readyz`)).status).toBe(200);
  expect(unfinished()).toEqual([]);
  dev.signal("SIGINT");
  await dev.exited;
}, 60_000);

test("dev serves none of its secrets", async () => {
  const dev = await runDev();
  for (const file of ["dev.env", "auth-secret", "cron-secret"]) {
    const text = readFileSync(path.join(clone, ".data", file), "utf8").trim();
    for (const base of ["", `/@fs${clone}`]) {
      for (const query of ["", "?raw", "?import&raw", "?raw??", "?url", "?inline&import"]) {
        const response = await fetch(`${dev.url}${base}/.data/${file}${query}`);
        const body = await response.text();
        expect(response.ok && query !== "?url", `${base}/.data/${file}${query}`).toBe(false);
        for (const line of text.split("\n")) expect(body).not.toContain(line);
        expect(body).not.toContain(Buffer.from(text).toString("base64").slice(0, 40));
      }
    }
  }
  dev.signal("SIGINT");
  await dev.exited;
}, 60_000);

test("a second dev in the same clone is refused in one line, and the first serves on", async () => {
  const dev = await runDev();
  const second = await tryDev([]);
  expect(second.status).toBe(1);
  expect(second.stderr).toMatch(/^npm run dev is already running in this clone \(pid \d+\).*\n$/);
  expect((await fetch(`${dev.url}/readyz`)).status).toBe(200);
  dev.signal("SIGINT");
  expect(await dev.exited).toBe(0);
}, 60_000);

test("what dev cannot start with is one line, without credentials", async () => {
  const port = await tryDev([], { PORT: "abc" });
  expect(port.status).toBe(1);
  expect(port.stderr).toMatch(/^PORT is not a whole number from 0 to 65535.*\n$/);
  const database = await tryDev([], { DATABASE_URL: "postgres//ann:hunter2-secret@db:x/app" });
  expect(database.status).toBe(1);
  expect(database.stderr).toMatch(/^DATABASE_URL is not a URL.*\n$/);
  expect(database.stderr).not.toContain("hunter2");
  const argument = await tryDev(["--prot=1"]);
  expect(argument).toMatchObject({ status: 2, stdout: "" });
  const help = await tryDev(["--help"]);
  expect(help).toMatchObject({ status: 0, stderr: "" });
  expect(help.stdout).toMatch(/^npm run dev\n/);
}, 60_000);
