import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import { freePort } from "../../lib/free-port";

export interface ServingProcess {
  url: string;
  process: ChildProcess;
  /** Milliseconds from the start of the process to its first successful response. */
  readyAfter: number;
  stop(): Promise<void>;
}

interface Program {
  /** Node's arguments. */
  args: string[];
  cwd: string;
  env: Record<string, string>;
  /** A path that responds with 200 once the program can serve. */
  readyPath: string;
  /** A port that is free; any if left out. */
  port?: number;
  /** Whether the program sends messages. */
  ipc?: boolean;
}

const POLL_MS = 5;
const DEADLINE_MS = 60_000;

/** Starts a server with this environment only, and resolves once it serves. */
export async function startServing(program: Program): Promise<ServingProcess> {
  const port = program.port ?? (await freePort(0, "127.0.0.1"));
  const url = `http://localhost:${port}`;
  const began = performance.now();
  const child = spawn(process.execPath, program.args, {
    cwd: program.cwd,
    env: {
      PATH: process.env.PATH,
      NODE_ENV: "production",
      PORT: String(port),
      NEXT_PUBLIC_SITE_URL: url,
      ...program.env,
    },
    stdio: ["ignore", "ignore", "pipe", ...(program.ipc ? (["ipc"] as const) : [])],
  });
  let said = "";
  child.stderr?.on("data", (chunk) => {
    said = `${said}${chunk}`.slice(-2000);
  });
  while (!(await isServing(url + program.readyPath))) {
    if (child.exitCode !== null) throw new Error(`a server ended: ${said}`);
    if (performance.now() - began > DEADLINE_MS) throw new Error(`a server did not start: ${said}`);
    await wait(POLL_MS);
  }
  return {
    url,
    process: child,
    readyAfter: performance.now() - began,
    async stop() {
      if (child.exitCode !== null) return;
      child.kill("SIGTERM");
      await once(child, "exit");
    },
  };
}

async function isServing(url: string): Promise<boolean> {
  try {
    const response = await fetch(url);
    await response.arrayBuffer();
    return response.ok;
  } catch {
    return false;
  }
}
