import http from "node:http";
import https from "node:https";
import net from "node:net";
import { expect, test, vi } from "vitest";
import { listenLocally } from "#tests/helpers/local-server";
import { SELF_SIGNED } from "#tests/helpers/self-signed-certificate";
import { allowAddresses } from "~/services/outgoing/allowed-origins.server";
import { exchange } from "~/services/outgoing/exchange.server";

function post(url: string, withinMs = 60_000) {
  allowAddresses({ fal: [url] });
  return exchange({
    purpose: "fal",
    url,
    method: "POST",
    headers: { Authorization: "Bearer key" },
    body: { prompt: "größer" },
    deadline: performance.now() + withinMs,
  });
}

/** A server for whole requests; `received` collects them. */
async function startServer(reply: http.RequestListener, secure = false) {
  const received: string[] = [];
  const listener: http.RequestListener = async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    received.push(body);
    reply(request, response);
  };
  const server = secure ? https.createServer(SELF_SIGNED, listener) : http.createServer(listener);
  const port = await listenLocally(server);
  return { url: `${secure ? "https" : "http"}://127.0.0.1:${port}/v1`, received };
}

test("a response is returned with its status, headers and text", async () => {
  const { url, received } = await startServer((request, response) => {
    response.writeHead(418, { "x-request-id": "r1" });
    response.end(`${request.method} ${request.headers.authorization} ä`);
  });
  expect(await post(url)).toMatchObject({
    status: "responded",
    code: 418,
    headers: { "x-request-id": "r1" },
    body: "POST Bearer key ä",
  });
  expect(received).toEqual(['{"prompt":"größer"}']);
});

test("a refused connection was not sent", async () => {
  expect(await post("http://127.0.0.1:1")).toEqual({ status: "unsent", reason: "ECONNREFUSED" });
});

test("a name that does not exist was not sent", async () => {
  expect(await post("http://nothing.invalid")).toMatchObject({ status: "unsent" });
});

test("a TLS handshake that never ends was not sent, and leaves time for another call", async () => {
  const port = await listenLocally(net.createServer());
  const outcome = await post(`https://127.0.0.1:${port}`, 2_000);
  expect(outcome).toEqual({ status: "unsent", reason: "connect time-out" });
});

test("a server without TLS behind an https URL was sent nothing of the request", async () => {
  let heard = "";
  const port = await listenLocally(
    net.createServer((socket) => {
      socket.on("data", (data) => {
        heard += data.toString("latin1");
        socket.end("HTTP/1.1 400 Bad Request\r\n\r\n");
      });
    }),
  );
  expect(await post(`https://127.0.0.1:${port}`)).toMatchObject({ status: "unsent" });
  expect(heard).not.toBe("");
  expect(heard).not.toContain("Bearer key");
});

test("a server with an untrusted certificate was sent nothing", async () => {
  const { url, received } = await startServer((_request, response) => response.end(), true);
  expect(await post(url)).toEqual({ status: "unsent", reason: "DEPTH_ZERO_SELF_SIGNED_CERT" });
  expect(received).toEqual([]);
});

test("over TLS, a connection that is reset after the request counts as sent", async () => {
  vi.stubEnv("NODE_TLS_REJECT_UNAUTHORIZED", "0");
  vi.spyOn(process, "emitWarning").mockReturnValue();
  const { url, received } = await startServer((request) => request.socket.destroy(), true);
  expect(await post(url)).toMatchObject({ status: "lost" });
  expect(received).toHaveLength(1);
  vi.unstubAllEnvs();
});

test.each<[string, http.RequestListener]>([
  ["reset", (request) => request.socket.resetAndDestroy()],
  ["closed without a response", (request) => request.socket.end()],
  [
    "closed in the middle of the response",
    (request, response) => {
      response.writeHead(200, { "Content-Length": 100 });
      response.write("half", () => request.socket.destroy());
    },
  ],
])("a connection that is %s after the request is lost, not unsent", async (_how, reply) => {
  const { url, received } = await startServer(reply);
  expect(await post(url)).toEqual({ status: "lost", reason: "ECONNRESET" });
  expect(received).toHaveLength(1);
});

test("a connection that is reset at the first byte may have carried the request", async () => {
  const port = await listenLocally(
    net.createServer((socket) => socket.once("data", () => socket.resetAndDestroy())),
  );
  expect(await post(`http://127.0.0.1:${port}`)).toEqual({ status: "lost", reason: "ECONNRESET" });
});

test("a call without a response by the deadline is lost", async () => {
  const { url } = await startServer(() => undefined);
  expect(await post(url, 2_000)).toEqual({ status: "lost", reason: "time-out" });
});

test("a response that drips past the deadline is lost", async () => {
  const { url } = await startServer((_request, response) => {
    const drip = setInterval(() => response.write("."), 10);
    response.once("close", () => clearInterval(drip));
  });
  expect(await post(url, 2_000)).toEqual({ status: "lost", reason: "time-out" });
});

test("an endless response is cut off", async () => {
  const { url } = await startServer((_request, response) => {
    const block = Buffer.alloc(1024 * 1024, " ");
    const pour = () => {
      while (!response.destroyed && response.write(block));
    };
    response.on("drain", pour);
    pour();
  });
  expect(await post(url)).toEqual({ status: "lost", reason: "response too large" });
});

test("each call opens its own connection, so that no stale one is used", async () => {
  const ports = new Set<number | undefined>();
  const { url } = await startServer((request, response) => {
    ports.add(request.socket.remotePort);
    response.end("{}");
  });
  await post(url);
  await post(url);
  expect(ports.size).toBe(2);
});
