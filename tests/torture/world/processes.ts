import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { freePort } from "../../../scripts/lib/free-port";
import { send } from "./http";

/** A process of the product: a server, or the worker. */
export interface Program {
  name: string;
  port: number;
  /** `kill -9`, and a new one at once. Resolves when the new one serves. */
  killAndReplace(): Promise<void>;
  /** Has it read the moved clock. */
  tellTime(): void;
  stop(): Promise<void>;
}

export const CLOCK = path.resolve("tests/torture/world/clock.mjs");

const LAST_CHARACTERS = 1_000;

/** Programs that ended, though nothing told them to. */
export type OnDeath = (name: string, code: number | null, signal: string | null) => void;

/** Starts a built program and waits until it is there. */
export async function startProgram(
  {
    name,
    program,
    root,
    env,
    logs,
  }: { name: string; program: string; root: string; env: NodeJS.ProcessEnv; logs: string },
  onDeath: OnDeath,
): Promise<Program> {
  const port = await freePort(0, "127.0.0.1");
  const log = createWriteStream(path.join(logs, `${name}.log`), { flags: "a" });
  // A worker serves its state there, a server its pages here.
  const own = {
    PORT: String(port),
    ...(program === "worker" ? { METRICS_PORT: String(port) } : {}),
  };
  let child: ChildProcess;
  let isMeant = false;
  let isStopped = false;
  let replacing: Promise<void> = Promise.resolve();

  async function start(): Promise<void> {
    isMeant = false;
    const started = spawn(process.execPath, ["--import", CLOCK, `build/commands/${program}.js`], {
      ...{ cwd: root, env: { ...env, ...own } },
      stdio: ["ignore", "pipe", "pipe"],
    });
    child = started;
    // The log goes with its folder, and a run that can't go on says why.
    let lastWords = "";
    const closed = new Promise((resolve) => started.once("close", resolve));
    for (const stream of [started.stdout, started.stderr]) {
      stream.pipe(log, { end: false });
      stream.on("data", (chunk: Buffer) => {
        lastWords = (lastWords + chunk.toString("utf8")).slice(-LAST_CHARACTERS);
      });
    }
    started.once("exit", (code, signal) => {
      if (child === started && !isMeant) onDeath(name, code, signal);
    });
    while (started.exitCode === null && started.signalCode === null) {
      const reply = await send({ port, path: "/healthz", timeout: 2_000 }).catch(() => null);
      if (reply?.status === 200) return;
      await pause(50);
    }
    await closed;
    throw new Error(`${name} ended before it served: ${lastWords}`);
  }

  async function end(signal: NodeJS.Signals): Promise<void> {
    isMeant = true;
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill(signal);
    await once(child, "exit");
  }

  async function replace(): Promise<void> {
    await end("SIGKILL");
    if (!isStopped) await start();
  }

  await start();
  return {
    name,
    port,
    // One after the other: of two new ones at once only one would have the port.
    killAndReplace() {
      replacing = replacing.then(replace);
      return replacing;
    },
    tellTime: () => void child.kill("SIGUSR2"),
    async stop() {
      isStopped = true;
      await end("SIGTERM");
      log.end();
    },
  };
}
