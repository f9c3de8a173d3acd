import { spawn } from "node:child_process";
import { Agent, get, type IncomingMessage } from "node:http";
import { createServer } from "node:net";
import { createInterface } from "node:readline";
import { expect, onTestFinished, test, vi } from "vitest";
import { freePort } from "../../scripts/lib/free-port";
import { REQUIRED } from "../fixtures/env";
import { beginSignUps } from "../helpers/sign-ups-in-flight";
import { startSilenceableProxy } from "../helpers/silenceable-proxy";
import { createTestDatabase } from "../helpers/test-database";
import { startTestServer } from "../helpers/test-server";

vi.setConfig({ testTimeout: 120_000 });

/** Gets a path on the agent's connection. */
function visit(url: string, agent: Agent) {
  return new Promise<{ status: number; connection: string | undefined; body: string }>(
    (resolve, reject) => {
      get(url, { agent }, async (response: IncomingMessage) => {
        let body = "";
        for await (const chunk of response) body += chunk;
        resolve({
          status: response.statusCode ?? 0,
          connection: response.headers.connection,
          body,
        });
      }).on("error", reject);
    },
  );
}

test("after SIGTERM the server serves on for its delay, says 503 on /readyz and closes each connection", async () => {
  const server = await startTestServer({
    DATABASE_URL: await createTestDatabase(),
    SHUTDOWN_DELAY: "2",
  });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  expect(await visit(`${server.url}/readyz`, agent)).toMatchObject({
    status: 200,
    connection: "keep-alive",
  });
  const stopped = server.stop();
  await expect
    .poll(() => visit(`${server.url}/readyz`, agent))
    .toEqual({
      status: 503,
      connection: "close",
      body: '{"status":"not_ready","failing":["stopping"]}',
    });
  expect(await visit(`${server.url}/en/terms`, agent)).toMatchObject({
    status: 200,
    connection: "close",
  });
  expect((await visit(`${server.url}/healthz`, agent)).status).toBe(200);
  // A second SIGTERM, as from a supervisor that signals the whole group, changes nothing.
  server.process.kill("SIGTERM");
  expect((await visit(`${server.url}/en/terms`, agent)).status).toBe(200);
  await stopped;
  expect(server.process.exitCode).toBe(0);
  expect(server.logs).toContainEqual(
    expect.objectContaining({ msg: "stopping", signal: "SIGTERM", delayMs: 2_000 }),
  );
});

test("Ctrl-C doesn't wait for the delay, with several processes either", async () => {
  for (const processes of ["1", "2"]) {
    const server = await startTestServer({
      DATABASE_URL: await createTestDatabase(),
      SHUTDOWN_DELAY: "300",
      WEB_CONCURRENCY: processes,
    });
    const ended = new Promise((resolve) => server.process.once("exit", resolve));
    server.process.kill("SIGINT");
    expect(await ended).toBe(0);
  }
});

/** Runs a command through npm and its shell, as most people and supervisors do. */
async function npmRun(command: string, env: Record<string, string>, ready: string) {
  const npm = spawn("npm", ["run", command], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, NODE_ENV: "production", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  npm.stderr.on("data", (chunk) => {
    output += chunk;
  });
  const closed = new Promise<void>((resolve) => npm.stdout.once("close", () => resolve()));
  await new Promise<void>((resolve, reject) => {
    createInterface({ input: npm.stdout }).on("line", (line) => {
      output += `${line}\n`;
      if (line.includes(`"msg":"${ready}"`)) resolve();
    });
    npm.once("exit", (code) => reject(new Error(`npm ended (${code}): ${output}`)));
  });
  // Every process of the tree holds npm's output open.
  return { npm, treeEnded: closed };
}

const isFree = (port: number) =>
  new Promise<boolean>((resolve) => {
    const probe = createServer()
      .once("error", () => resolve(false))
      .listen(port, () => probe.close(() => resolve(true)));
  });

test.each([
  ["SIGTERM", "1"],
  ["SIGKILL", "1"],
  ["SIGTERM", "2"],
  ["SIGKILL", "2"],
] as const)(
  "%s to the npm of `npm start` ends the whole tree, of %s processes, once requests in flight have their response",
  async (signal, processes) => {
    const port = await freePort();
    const url = `http://localhost:${port}`;
    const { npm, treeEnded } = await npmRun(
      "start",
      {
        ...REQUIRED,
        DATABASE_URL: await createTestDatabase(),
        NEXT_PUBLIC_SITE_URL: url,
        PORT: `${port}`,
        WEB_CONCURRENCY: processes,
        PASSWORD_BREACH_CHECK: "false",
        RATE_LIMIT_SCALE: "1000",
      },
      "listening",
    );
    const signUps = await beginSignUps(url, 6);
    npm.kill(signal);
    expect(await signUps.statuses).toEqual(Array(6).fill(303));
    await treeEnded;
    expect(await isFree(port)).toBe(true);
  },
);

test.each(["SIGTERM", "SIGKILL"] as const)(
  "%s to the npm of `npm run cron` ends the scheduler",
  async (signal) => {
    const env = {
      CRON_SECRET: "a-secret-of-the-scheduler",
      NEXT_PUBLIC_SITE_URL: "http://localhost:1",
    };
    const { npm, treeEnded } = await npmRun("cron", env, "scheduling");
    npm.kill(signal);
    await treeEnded;
  },
);

test("SIGTERM ends the server within five seconds, though the database has gone silent", async () => {
  const proxy = await startSilenceableProxy(await createTestDatabase());
  const server = await startTestServer({ DATABASE_URL: proxy.url });
  try {
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
    const asked = proxy.silence();
    const inFlight = fetch(`${server.url}/readyz`).catch(() => "cut");
    await asked;
    const began = Date.now();
    await server.stop();
    expect(Date.now() - began).toBeLessThan(5_000);
    expect(server.process.exitCode).toBe(0);
    await inFlight;
  } finally {
    proxy.close();
  }
});
