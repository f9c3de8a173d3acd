import { connect } from "node:net";
import { beforeAll, expect, test } from "vitest";
import { type Client, signUp } from "../../helpers/client";
import { sendRaw } from "../../helpers/raw-request";
import { withImageServer } from "../../helpers/with-image-server";

const app = withImageServer();

let ada: Client;
beforeAll(async () => {
  ada = await signUp(app.url);
});

const json = (method: string, body: string): RequestInit => ({
  method,
  body,
  headers: { "Content-Type": "application/json" },
});

test("data has its length and is compressed only if that is worth it", async () => {
  const short = await ada.fetch("/api/account/credits", { headers: { "Accept-Encoding": "gzip" } });
  const length = Number(short.headers.get("content-length"));
  expect([short.headers.get("content-encoding"), (await short.text()).length]).toEqual([
    null,
    length,
  ]);
  expect(length).toBeLessThan(1024);
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

test("a method that Remix doesn't know is refused, and is nobody's error", async () => {
  const host = new URL(app.url).host;
  const reply = await sendRaw(app.url, [
    "TRACE /api/account/credits HTTP/1.1",
    `Host: ${host}`,
    "Connection: close",
  ]);
  expect([reply.status, reply.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
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
