import { expect, test, vi } from "vitest";
import { freePort } from "../../scripts/lib/free-port";
import { startBalancer } from "../helpers/balancer";
import { PASSWORD } from "../helpers/client";
import { fillIn, readDocBlock } from "../helpers/doc-blocks";
import { startNginx } from "../helpers/nginx";
import { hasProgram } from "../helpers/program";
import { createTestDatabase } from "../helpers/test-database";
import { startTestServer, type TestServer } from "../helpers/test-server";

// Several servers start in turn.
vi.setConfig({ testTimeout: 180_000 });

const portOf = ({ url }: TestServer) => new URL(url).port;

/** Asks for pages, and with `posts` signs up, four at a time, until told to stop. Counts every status. */
function sendRequests(url: string, { posts }: { posts: boolean }) {
  const statuses: Record<string, number> = {};
  let isOver = false;
  let sent = 0;
  const sendNext = async () => {
    sent += 1;
    const isPost = posts && sent % 8 === 0;
    const body = new URLSearchParams({ email: `r${sent}@example.com`, password: PASSWORD });
    const status = await fetch(`${url}/en/${isPost ? "sign-up" : "terms"}`, {
      redirect: "manual",
      ...(isPost ? { method: "POST", body } : {}),
    }).then(
      (response) => response.arrayBuffer().then(() => response.status),
      (error: Error) => error.message,
    );
    statuses[status] = (statuses[status] ?? 0) + 1;
  };
  const lanes = Array.from({ length: 4 }, async () => {
    while (!isOver) await sendNext();
  });
  return {
    sent: () => sent,
    async stop() {
      isOver = true;
      await Promise.all(lanes);
      return statuses;
    },
  };
}

interface Roll {
  /** The balancer's address. */
  url: string;
  servers: TestServer[];
  /** The servers' environment. */
  shared: Record<string, string>;
  /** Whether the balancer uses both servers. */
  isServed: () => boolean;
  /** Whether forms are sent, too. */
  posts?: boolean;
}

/** Restarts one server after the other under load, and expects every request to succeed. */
async function rollThrough({ url, servers, shared, isServed, posts = true }: Roll): Promise<void> {
  const load = sendRequests(url, { posts });
  for (const [at, server] of servers.entries()) {
    const before = load.sent();
    await expect.poll(load.sent, { timeout: 60_000 }).toBeGreaterThan(before + 40);
    await server.stop();
    servers[at] = await startTestServer({ ...shared, PORT: portOf(server) });
    await expect.poll(isServed, { timeout: 60_000 }).toBe(true);
  }
  const enough = Math.max(load.sent() + 40, 160);
  await expect.poll(load.sent, { timeout: 60_000 }).toBeGreaterThan(enough);
  const statuses = await load.stop();
  await Promise.all(servers.map((server) => server.stop()));
  expect(Object.keys(statuses).sort()).toEqual(posts ? ["200", "303"] : ["200"]);
}

// With several processes the parent accepts a connection before it hands it over, and one on its way to a
// process that has just closed ends. Such a balancer repeats a GET then, and no POST.
test.each([
  ["asks readyz", "request", { SHUTDOWN_DELAY: "1" }],
  ["asks readyz", "request", { SHUTDOWN_DELAY: "1", WEB_CONCURRENCY: "2" }],
  ["tries the next", "request", { SHUTDOWN_DELAY: "1" }],
  ["tries the next", "page", { SHUTDOWN_DELAY: "0", WEB_CONCURRENCY: "2" }],
] as const)(
  "a rolling restart behind a balancer that %s loses no %s: %j",
  async (way, kept, env) => {
    const shared = { DATABASE_URL: await createTestDatabase(), ...env };
    const servers = [await startTestServer(shared), await startTestServer(shared)];
    const balancer = await startBalancer(
      servers.map((server) => Number(portOf(server))),
      way,
    );
    await rollThrough({
      url: balancer.url,
      servers,
      shared,
      isServed: () => balancer.serving().length === 2,
      posts: kept === "request",
    });
  },
);

test.skipIf(!hasProgram("nginx"))(
  "a rolling restart behind the nginx of the page loses no request",
  async () => {
    const shared = {
      DATABASE_URL: await createTestDatabase(),
      TRUST_PROXY: "1",
      HOST: "127.0.0.1",
      SHUTDOWN_DELAY: "1",
    };
    const servers = [await startTestServer(shared), await startTestServer(shared)];
    const port = await freePort();
    const site = readDocBlock("docs/more-than-one-process.md", "nginx", "listen 8080");
    await startNginx(
      () =>
        fillIn(site, {
          ...Object.fromEntries(
            servers.map((server, at) => [`127.0.0.1:${3000 + at}`, `127.0.0.1:${portOf(server)}`]),
          ),
          "listen 8080": `listen 127.0.0.1:${port}`,
          // The address that the servers know as their own, which forms are checked against.
          "Host $host": "Host $http_host",
        }),
      port,
    );
    await rollThrough({ url: `http://127.0.0.1:${port}`, servers, shared, isServed: () => true });
  },
);
