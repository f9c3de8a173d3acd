import { connect } from "node:net";
import { beforeAll, expect, test } from "vitest";
import { type Client, signUp } from "../../helpers/client";
import { sendRaw } from "../../helpers/raw-request";
import { throughRemix } from "../../helpers/through-remix";
import { withImageServer } from "../../helpers/with-image-server";

const app = withImageServer();

let ada: Client;
beforeAll(async () => {
  ada = await signUp(app.url);
});

/** How a response of known length is sent differs from one whose length is not known before its end. */
const FRAMING = ["content-length", "transfer-encoding", "content-encoding"];

/** What a response says, without what differs between any two. */
async function said(response: Response) {
  const differing = ["x-request-id", "content-security-policy", "date", ...FRAMING];
  const headers = [...response.headers].filter(([name]) => !differing.includes(name));
  const body = (await response.text()).replace(/"requestId":"[^"]*"/, "");
  return { status: response.status, headers, body };
}

const json = (method: string, body: string): RequestInit => ({
  method,
  body,
  headers: { "Content-Type": "application/json" },
});

test.each<[string, RequestInit, status: number]>([
  ["/api/account/credits", {}, 200],
  ["/api/account/credits", { method: "HEAD" }, 200],
  ["/api/account/credits", { headers: { "Accept-Encoding": "gzip" } }, 200],
  ["/api/account/credits", { method: "POST" }, 405],
  ["/api/account/credits", { method: "OPTIONS" }, 405],
  ["/api/storage/upload", {}, 405],
  ["/api/storage/upload", { method: "POST" }, 400],
  ["/api/storage/upload", json("POST", "{"), 400],
  ["/api/storage/upload", json("POST", '{"filename":"a.png"}'), 400],
  ["/api/storage/upload", json("POST", "x".repeat(1024 * 1024 + 1)), 413],
  ["/api/storage/upload", json("DELETE", "{}"), 405],
  ["/api/cron/maintenance", {}, 401],
])("%s %o is answered as through Remix's own handler", async (path, init, status) => {
  const direct = await said(await ada.fetch(path, init));
  expect(direct.status).toBe(status);
  expect(direct).toEqual(await said(await ada.fetch(throughRemix(path), init)));
});

test("the body arrives whole, however it is cut", async () => {
  const upload = { filename: "cut é.png", contentType: "image/png", contentLength: 68 };
  const bytes = Buffer.from(JSON.stringify(upload));
  const body = new ReadableStream({
    start(controller) {
      for (const byte of bytes) controller.enqueue(Uint8Array.of(byte));
      controller.close();
    },
  });
  const init = { ...json("POST", ""), body, duplex: "half" as const };
  const response = await ada.fetch("/api/storage/upload", init);
  expect([response.status, await response.json()]).toMatchObject([200, { method: "PUT" }]);
});

test("a path with a query or a data request's parameters gets the same answer", async () => {
  const plain = await said(await ada.fetch("/api/account/credits"));
  expect(await said(await ada.fetch("/api/account/credits?_routes=root&index"))).toEqual(plain);
});

test("a method that Remix doesn't know is refused, and is nobody's error", async () => {
  const host = new URL(app.url).host;
  const answer = await sendRaw(app.url, [
    "TRACE /api/account/credits HTTP/1.1",
    `Host: ${host}`,
    "Connection: close",
  ]);
  expect([answer.status, answer.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
});

test("a visitor who leaves in the middle of a body is nobody's error, and the server serves on", async () => {
  const { hostname, port, host } = new URL(app.url);
  const socket = connect(Number(port), hostname);
  const head = ["POST /api/storage/upload HTTP/1.1", `Host: ${host}`, `Cookie: ${ada.cookie()}`];
  const lines = [...head, "Content-Type: application/json", "Content-Length: 100", "", '{"fi'];
  await new Promise<void>((resolve) => socket.write(lines.join("\r\n"), () => resolve()));
  // Long enough for the route to read the first part.
  await new Promise((resolve) => setTimeout(resolve, 300));
  socket.destroy();
  const left = () =>
    app.server.logs.some(({ path, aborted }) => path === "/api/storage/upload" && aborted === true);
  await expect.poll(left).toBe(true);
  expect((await ada.fetch("/api/account/credits")).status).toBe(200);
  const logs = await app.server.allLogs();
  expect(logs.filter(({ level }) => Number(level) >= 50)).toEqual([]);
});
