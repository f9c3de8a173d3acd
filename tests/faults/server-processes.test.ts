import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { expect, test, vi } from "vitest";
import { beginSignUps } from "../helpers/sign-ups-in-flight";
import { createTestDatabase } from "../helpers/test-database";
import { startTestServer, type TestServer } from "../helpers/test-server";

// Each server starts three programs.
vi.setConfig({ testTimeout: 120_000 });

const REPLACED = "a server process ended and will be replaced";

async function withProcesses(
  env: Record<string, string>,
  work: (server: TestServer) => Promise<void>,
) {
  const server = await startTestServer({ DATABASE_URL: await createTestDatabase(), ...env });
  try {
    await work(server);
  } finally {
    await server.stop();
  }
}

/** The processes that have served a request, by the log. */
const servingPids = ({ logs }: TestServer) =>
  new Set(logs.filter(({ msg }) => msg === "request").map(({ pid }) => Number(pid)));

/** Requests a page on a connection of its own: `fetch` would stay with the process it knows. */
async function visit({ url }: TestServer): Promise<void> {
  // A connection on its way to a process that is killed gets no response.
  const signal = AbortSignal.timeout(5_000);
  const request = get(`${url}/en/terms`, { agent: false, signal });
  const [response] = (await once(request, "response")) as [IncomingMessage];
  response.resume();
  await once(response, "end");
}

const untilServing = (server: TestServer, processes: number, without?: number) =>
  expect
    .poll(
      async () => {
        await Promise.all([visit(server), visit(server)]);
        const pids = servingPids(server);
        if (without !== undefined) pids.delete(without);
        return pids.size;
      },
      { timeout: 90_000 },
    )
    .toBeGreaterThanOrEqual(processes);

test("several processes serve one port, and say once that they listen", () =>
  withProcesses({ WEB_CONCURRENCY: "2" }, async (server) => {
    await untilServing(server, 2);
    expect(servingPids(server)).not.toContain(server.process.pid);
    expect(server.logs.filter(({ msg }) => msg === "listening")).toMatchObject([{ processes: 2 }]);
  }));

test("a process that is killed is replaced, and the others serve meanwhile", () =>
  withProcesses({ WEB_CONCURRENCY: "2" }, async (server) => {
    await untilServing(server, 2);
    const [killed = 0] = servingPids(server);
    process.kill(killed, "SIGKILL");
    await untilServing(server, 2, killed);
    expect(server.logs.filter(({ msg }) => msg === REPLACED)).toMatchObject([
      { pid: killed, signal: "SIGKILL" },
    ]);
  }));

test("SIGTERM lets every process finish its requests in flight, and ends them all", () =>
  withProcesses({ WEB_CONCURRENCY: "2" }, async (server) => {
    await untilServing(server, 2);
    const pids = [...servingPids(server)];
    const signUps = await beginSignUps(server.url, 8);
    await server.stop();
    expect(await signUps.statuses).toEqual(Array(8).fill(303));
    expect(server.process.exitCode).toBe(0);
    for (const pid of pids) expect(() => process.kill(pid, 0)).toThrow("ESRCH");
  }));

test("a taken port ends the parent with the process's one line", () =>
  withProcesses({}, async (server) => {
    const port = new URL(server.url).port;
    const second = startTestServer({
      DATABASE_URL: await createTestDatabase(),
      WEB_CONCURRENCY: "2",
      PORT: port,
    });
    await expect(second).rejects.toThrow(
      `the server ended (1): Port ${port} is taken: set PORT to another one.`,
    );
  }));
