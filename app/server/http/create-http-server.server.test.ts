import { once } from "node:events";
import type { RequestListener, Server } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { finished } from "node:stream/promises";
import { promisify } from "node:util";
import { afterEach, expect, test } from "vitest";
import { createHttpServer } from "~/server/http/create-http-server.server";
import { type HttpLimits, httpLimits } from "~/server/http/http-limits.server";
import { setLogLevel } from "~/utils/logger.server";

setLogLevel("silent");

/** Milliseconds: a limit under test, one in which a request certainly comes, and one that is too long to end a connection here. */
const SHORT = 200;
const ENOUGH = 2_000;
const LONG = 60_000;

const GENEROUS: HttpLimits = {
  headersTimeout: LONG,
  requestTimeout: LONG,
  connectionsCheckingInterval: 20,
  keepAliveTimeout: LONG,
  idleTimeout: LONG,
  maxHeaderSize: 16_384,
  maxRequestsPerSocket: 1_000,
  maxPipelinedRequests: 1_000,
  maxConnections: 1_000,
};

const ERROR_HEADERS: [string, string][] = [["x-frame-options", "DENY"]];

const servers: Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections();
});

async function serve(limits: Partial<HttpLimits>, listener: RequestListener = respondOk) {
  const server = createHttpServer(listener, { ...GENEROUS, ...limits }, ERROR_HEADERS);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    server,
    open: () => connect({ port, host: "127.0.0.1", noDelay: true }),
  };
}

const respondOk: RequestListener = (request, response) => {
  request.resume().on("end", () => response.end("ok"));
};

const GET = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";

/** Resolves with everything the server sent, once it ended or cut the connection. */
async function received(socket: Socket): Promise<string> {
  let got = "";
  socket.on("data", (data) => {
    got += data;
  });
  await finished(socket.resume()).catch(() => undefined);
  return got;
}

const countConnections = (server: Server) => promisify(server.getConnections.bind(server))();

/** Sends a byte at intervals until the connection closes. What has come by then is read first: a write that fails drops it. */
function drip(socket: Socket, byte: string): void {
  const timer = setInterval(() => setImmediate(() => socket.write(byte)), SHORT / 10);
  socket.on("close", () => clearInterval(timer)).on("error", () => clearInterval(timer));
}

test("a silent client gets a 408 after the time for headers", async () => {
  const { open } = await serve({ headersTimeout: SHORT });
  expect(await received(open())).toMatch(/^HTTP\/1\.1 408 .*^x-frame-options: DENY\r$/ms);
});

test("headers that drip in get a 408 after the time for headers", async () => {
  const { open } = await serve({ headersTimeout: SHORT });
  const socket = open();
  socket.write("GET / HTTP/1.1\r\nX-Slow: ");
  drip(socket, "a");
  expect(await received(socket)).toMatch(/^HTTP\/1\.1 408 /);
});

test("a body that drips in gets a 408 after the time for a request", async () => {
  const { open } = await serve({ headersTimeout: SHORT, requestTimeout: 2 * SHORT });
  const socket = open();
  socket.write("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\n");
  drip(socket, "a");
  expect(await received(socket)).toMatch(/^HTTP\/1\.1 408 /);
});

test("a response that nobody reads is given up and its connection closed", async () => {
  // More than the buffers of both ends can hold.
  const size = 64 * 1024 * 1024;
  const { server, open } = await serve({ idleTimeout: SHORT }, (_request, response) => {
    response.end(Buffer.alloc(size));
  });
  const socket = open().pause();
  socket.write(GET);
  await once(server, "request");
  await expect.poll(() => countConnections(server)).toBe(0);
  expect((await received(socket)).length).toBeLessThan(size);
});

test("a slow response outlives every limit except the idle one", async () => {
  const { open } = await serve(
    { headersTimeout: ENOUGH, requestTimeout: ENOUGH, keepAliveTimeout: ENOUGH },
    (_request, response) => {
      setTimeout(() => response.end("late"), 1.5 * ENOUGH);
    },
  );
  const socket = open();
  socket.write(GET);
  expect(await received(socket)).toMatch(/^HTTP\/1\.1 200 [\s\S]*late/);
});

test("a connection without a request on it is closed after the keep-alive time", async () => {
  const { open } = await serve({ keepAliveTimeout: SHORT });
  const socket = open();
  socket.write(GET);
  expect(await received(socket)).toMatch(/^HTTP\/1\.1 200 /);
});

test("a connection is told to close with its last request", async () => {
  const { open } = await serve({ maxRequestsPerSocket: 2, keepAliveTimeout: 1 });
  const socket = open();
  const reply = received(socket);
  socket.write(GET);
  socket.write(GET);
  expect((await reply).match(/Connection: \S+/g)).toEqual([
    "Connection: keep-alive",
    "Connection: close",
  ]);
});

test("a connection beyond the maximum is cut", async () => {
  const { server, open } = await serve({ maxConnections: 1 });
  const first = open();
  await expect.poll(() => countConnections(server)).toBe(1);
  expect(await received(open())).not.toContain("HTTP");
  first.write(GET.replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n"));
  expect(await received(first)).toMatch(/^HTTP\/1\.1 200 /);
});

test("headers that are too long are a 431", async () => {
  const { open } = await serve({ maxHeaderSize: 1_000 });
  const socket = open();
  socket.write(`GET / HTTP/1.1\r\nHost: a\r\nX-Long: ${"a".repeat(1_000)}\r\n\r\n`);
  expect(await received(socket)).toMatch(/^HTTP\/1\.1 431 /);
});

test("requests that arrive together are handled one after another, in their order", async () => {
  const events: string[] = [];
  const { open } = await serve({}, (request, response) => {
    events.push(`begin ${request.url}`);
    setImmediate(() => {
      events.push(`end ${request.url}`);
      response.end("ok");
    });
  });
  const socket = open();
  const paths = ["/1", "/2", "/3"];
  const last = "GET /4 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
  socket.write(`${paths.map((path) => GET.replace("/", path)).join("")}${last}`);
  expect((await received(socket)).match(/HTTP\/1\.1 200/g)).toHaveLength(4);
  expect(events).toEqual([...paths, "/4"].flatMap((path) => [`begin ${path}`, `end ${path}`]));
});

test("a connection with too many requests waiting is cut, and none of them is begun", async () => {
  let begun = 0;
  const { open } = await serve({ maxPipelinedRequests: 3 }, () => {
    begun++;
  });
  const socket = open();
  socket.write(GET.repeat(5));
  expect(await received(socket)).not.toContain("HTTP");
  expect(begun).toBe(1);
});

/** A request body of this many chunks of this length. */
const chunked = (count: number, length: number) =>
  [
    "POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n",
    `${length.toString(16)}\r\n${"a".repeat(length)}\r\n`.repeat(count),
    "0\r\n\r\n",
  ].join("");

test.each([1, 130, 500])("a body in thousands of chunks of %i bytes is cut", async (length) => {
  const { open } = await serve({});
  const socket = open();
  socket.write(chunked(2_000, length));
  expect(await received(socket)).not.toContain("HTTP");
});

test.each([
  ["a few tiny chunks", 1_000, 1],
  ["thousands of chunks of a kilobyte", 4_000, 1_024],
])("a body in %s is read whole", async (_what, count, length) => {
  let read = 0;
  const { open } = await serve({}, (request, response) => {
    request.on("data", (piece: Buffer) => {
      read += piece.length;
    });
    request.on("end", () => response.end("ok"));
  });
  const socket = open();
  socket.write(chunked(count, length));
  expect(await received(socket)).toMatch(/^HTTP\/1\.1 200 /);
  expect(read).toBe(count * length);
});

test("a connection stays open for as long as a generation may take, and for its response", () => {
  expect(httpLimits({ ttl: { generation: 300 } }).idleTimeout).toBe(330_000);
  expect(httpLimits({ ttl: { generation: 900 } }).idleTimeout).toBe(930_000);
  expect(httpLimits({ ttl: { generation: 10 } }).idleTimeout).toBe(330_000);
});
