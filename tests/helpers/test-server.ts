import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { inject, vi } from "vitest";
import { freePort } from "../../scripts/lib/free-port";
import type { PeopleStore } from "./store-person";

export interface TestServer {
  url: string;
  process: ChildProcess;
  /** Every line the server has logged so far, parsed. */
  logs: Record<string, unknown>[];
  /** Returns what the server has logged up to now: lines come through a pipe, later than responses. */
  allLogs(): Promise<Record<string, unknown>[]>;
  /** Everything it has written so far, to standard output and standard error. */
  output(): string;
  stop(): Promise<void>;
}

export const TEST_AUTH_SECRET = "test-secret-that-is-long-enough-to-be-one";

const peopleStores = new Map<string, PeopleStore>();

/**
 * Where people of the server at this URL can be stored without a sign-up. Nothing if a sign-up sends an
 * email or asks for a challenge there, or if cookies have the names for https.
 */
export function peopleStoreOf(url: string): PeopleStore | undefined {
  return peopleStores.get(url);
}

/**
 * Starts the production server (the program of `npm start`, on the current build) in a separate
 * process on its own port, with exactly this environment on top of the shared one.
 */
export async function startTestServer(env: Record<string, string>): Promise<TestServer> {
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const child = spawn(process.execPath, ["build/commands/start.js"], {
    env: {
      PATH: process.env.PATH,
      NODE_ENV: "production",
      PORT: String(port),
      NEXT_PUBLIC_SITE_URL: url,
      AUTH_SECRET: TEST_AUTH_SECRET,
      RATE_LIMIT_SCALE: "1000",
      // Its default depends on TRUST_PROXY.
      SHUTDOWN_DELAY: "0",
      // Tests never call the internet.
      PASSWORD_BREACH_CHECK: "false",
      // Compiling its modules is a seventh of the work of a start.
      NODE_COMPILE_CACHE: inject("compileCache"),
      // So that whole runs can be repeated with every request handled by Remix.
      ...(process.env.DIRECT_RENDERING ? { DIRECT_RENDERING: process.env.DIRECT_RENDERING } : {}),
      ...inject("s3Env"),
      ...env,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const logs: Record<string, unknown>[] = [];
  let stderr = "";
  child.stderr.on("data", (chunk) => {
    stderr += chunk;
  });
  const exited = new Promise<void>((resolve) =>
    child.once("exit", () => {
      // A later server may get the same port, with another database.
      peopleStores.delete(url);
      resolve();
    }),
  );
  await new Promise<void>((resolve, reject) => {
    createInterface({ input: child.stdout }).on("line", (line) => {
      const entry = JSON.parse(line) as Record<string, unknown>;
      logs.push(entry);
      if (entry.msg === "listening") resolve();
    });
    child.once("exit", (code) => reject(new Error(`the server ended (${code}): ${stderr}`)));
  });
  const site = env.NEXT_PUBLIC_SITE_URL ?? url;
  const isPlain = !env.SMTP_URL && !env.TURNSTILE_SECRET_KEY && site.startsWith("http:");
  if (env.DATABASE_URL && isPlain)
    peopleStores.set(url, {
      databaseUrl: env.DATABASE_URL,
      authSecret: env.AUTH_SECRET ?? TEST_AUTH_SECRET,
    });
  return {
    url,
    process: child,
    logs,
    // The lines of a process come in order, so all are here once that of one more request is.
    allLogs: async () => {
      const { headers } = await fetch(`${url}/api/none`);
      const id = headers.get("X-Request-Id");
      const isLast = (line: Record<string, unknown>) => line.requestId === id;
      await vi.waitUntil(() => logs.some(isLast), 10_000);
      return logs.filter((line) => !isLast(line));
    },
    output: () => logs.map((entry) => JSON.stringify(entry)).join("\n") + stderr,
    stop: async () => {
      child.kill("SIGTERM");
      await exited;
    },
  };
}
