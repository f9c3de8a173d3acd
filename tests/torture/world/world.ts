import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chmod, cp, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { freePort } from "../../../scripts/lib/free-port";
import { moveClock } from "./clock.mjs";
import { type Closing, createClosing, settleAll } from "./closing";
import { openDatabase, type TortureDatabase } from "./database";
import { closeConnections } from "./http";
import { CLOCK, type OnDeath, type Program, startProgram } from "./processes";
import type { Listener } from "./proxy";
import {
  type Mail,
  type ProviderEvent,
  type ProviderName,
  type StandIns,
  startStandIns,
} from "./stand-ins";

/** A comparison of the whole shop reads all cycles so far. */
const COMMAND_MS = 10 * 60_000;

/** Everything that a run needs: a shop with two servers and a worker, and all that stands around it. */
export interface World {
  folder: string;
  provider: ProviderName;
  env: NodeJS.ProcessEnv;
  database: TortureDatabase;
  standIns: StandIns;
  servers: [Program, Program];
  worker: Program;
  cronSecret: string;
  /** Runs an operator's command, and returns its exit code and all it printed. */
  command(name: string, ...args: string[]): Promise<{ code: number; output: string }>;
  /** Moves the time of every process and the database on, by milliseconds. */
  passTime(milliseconds: number): Promise<void>;
  stop(): Promise<void>;
}

export interface Witness {
  onEvent(event: ProviderEvent): void;
  onMail(mail: Mail): void;
  exchanges: Listener;
  onDeath: OnDeath;
}

/** Another version of the code. */
export interface Other {
  /** The folder of its build. */
  root: string;
  /** The program that is of it. */
  program: "server" | "worker";
}

/** Opens a world, or leaves nothing of it behind. Without another version all its programs are of this one. */
export async function openWorld(
  provider: ProviderName,
  witness: Witness,
  other: Other | null,
): Promise<World> {
  const closing = createClosing();
  try {
    return await open({ provider, witness, other }, closing);
  } catch (error) {
    await closing.close();
    throw error;
  }
}

interface Opening {
  provider: ProviderName;
  witness: Witness;
  other: Other | null;
}

async function open(
  { provider, witness, other: version }: Opening,
  closing: Closing,
): Promise<World> {
  const folder = await mkdtemp(path.join(os.tmpdir(), "torture-"));
  closing.add(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  // PostgreSQL has a user of its own where we are root.
  await chmod(folder, 0o755);
  const clock = path.join(folder, "clock");
  await writeFile(clock, "0");
  moveClock(0);
  const logs = path.join(folder, "logs");
  await mkdir(logs);
  const [database, standIns] = await settleAll([
    keep(openDatabase(folder), closing),
    keep(startStandIns(folder, witness), closing),
  ]);
  const cronSecret = randomBytes(24).toString("hex");
  const env: NodeJS.ProcessEnv = {
    PATH: process.env.PATH,
    NODE_ENV: "production",
    // Nothing listens there: it is the site's name alone.
    NEXT_PUBLIC_SITE_URL: `http://localhost:${await freePort()}`,
    DATABASE_URL: database.url,
    AUTH_SECRET: randomBytes(32).toString("hex"),
    CRON_SECRET: cronSecret,
    RATE_LIMIT_SCALE: "100000",
    TRUST_PROXY: "1",
    SHUTDOWN_DELAY: "0",
    PASSWORD_BREACH_CHECK: "false",
    PROVIDER_A_PROMOTION_CODES: "true",
    PROVIDER_A_TOP_UP: "true",
    WEBHOOK_LEASE_TTL: "10",
    GENERATION_TTL: "60",
    LOG_LEVEL: "warn",
    ...standIns.env,
    PAYMENTS_PROVIDER: provider,
    TORTURE_CLOCK: clock,
    // Programs are started hundreds of times: each takes a quarter less if Node keeps their compiled code.
    NODE_COMPILE_CACHE: path.join(folder, "compiled"),
  };
  const product = await installProduct(folder);
  const programs: Program[] = [];
  closing.add(() => settleAll(programs.map((program) => program.stop())));
  const rootOf = (program: Other["program"]) =>
    version?.program === program ? version.root : product;
  const start = async (name: string, program: "start" | "worker", root: string) => {
    const own = { ...env, WORKER: program === "worker" ? "on" : "off" };
    const started = await startProgram({ name, program, root, logs, env: own }, witness.onDeath);
    programs.push(started);
    return started;
  };
  const [one, other, worker] = await settleAll([
    start("a", "start", product),
    start("b", "start", rootOf("server")),
    start("worker", "worker", rootOf("worker")),
  ]);
  closing.add(async () => closeConnections());
  let moved = 0;

  return {
    ...{ folder, provider, env, database, standIns, worker, cronSecret },
    servers: [one, other],
    command: (name, ...args) =>
      new Promise((resolve) => {
        const program = path.join("build/commands", `${name}.js`);
        execFile(
          process.execPath,
          ["--import", CLOCK, program, ...args],
          { cwd: product, env, timeout: COMMAND_MS, maxBuffer: 2 ** 26 },
          (error, stdout, stderr) =>
            resolve({ code: error ? Number(error.code ?? 1) : 0, output: stdout + stderr }),
        );
      }),
    async passTime(milliseconds) {
      moved += milliseconds;
      await writeFile(clock, String(moved));
      moveClock(moved);
      for (const program of [one, other, worker]) program.tellTime();
      await database.setClock(moved);
    },
    stop: () => closing.close(),
  };
}

/**
 * Copies what the image of the Dockerfile has, and returns where it is: the run goes on with that build, whatever becomes of this
 * tree meanwhile.
 */
async function installProduct(folder: string): Promise<string> {
  const product = path.join(folder, "product");
  for (const part of ["build", "package.json", "prisma/migrations"])
    await cp(part, path.join(product, part), { recursive: true });
  await symlink(path.resolve("node_modules"), path.join(product, "node_modules"));
  return product;
}

/** Things that are being opened are closed with the rest. */
async function keep<One extends { stop(): Promise<unknown> }>(
  opening: Promise<One>,
  closing: Closing,
): Promise<One> {
  const opened = await opening;
  closing.add(() => opened.stop());
  return opened;
}
