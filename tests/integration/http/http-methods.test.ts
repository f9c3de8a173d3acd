import { expect, test } from "vitest";
import { signUp } from "../../helpers/client";
import { type RawResponse, sendRaw } from "../../helpers/raw-request";
import { startTestServer } from "../../helpers/test-server";
import { withImageServer } from "../../helpers/with-image-server";

const app = withImageServer();

const send = (method: string, path: string) =>
  sendRaw(app.url, [
    `${method} ${path} HTTP/1.1`,
    `Host: ${new URL(app.url).host}`,
    "Connection: close",
  ]);

const errorsLogged = async () =>
  (await app.server.allLogs()).filter(({ level }) => Number(level) >= 50);

test.each([
  ["TRACE", "/en", "GET, HEAD"],
  ["TRACE", "/en/sign-in", "GET, HEAD, POST"],
  ["PURGE", "/en/files/x/download", "GET, HEAD"],
  ["TRACE", "/healthz", "GET, HEAD"],
  ["PROPFIND", "/api/storage/files/x", "GET, HEAD, DELETE"],
  ["PURGE", "/api/storage/upload", "POST"],
  ["OPTIONS", "/api/storage/upload", "POST"],
  ["PATCH", "/api/storage/upload", "POST"],
  ["POST", "/", "GET, HEAD"],
  ["POST", "/en/files/x/download", "GET, HEAD"],
  ["POST", "/en/account.data", "GET, HEAD"],
  ["PUT", "/en/sign-out", "GET, HEAD, POST"],
  ["PATCH", "/en/sign-in", "GET, HEAD, POST"],
  ["DELETE", "/en/files", "GET, HEAD, POST"],
  ["DELETE", "/en/sign-out.data", "GET, HEAD, POST"],
])("%s %s is a 405 problem that allows %s, and nobody's error", async (method, path, allow) => {
  const reply = await send(method, path);
  expect([reply.status, reply.headers.get("allow")]).toEqual([405, allow]);
  expect(reply.headers.get("content-type")).toContain("application/problem+json");
  expect(reply.body).toContain('"code":"method_not_allowed"');
  expect(await errorsLogged()).toEqual([]);
});

test("a page without an action responds to POST with its own 405 page", async () => {
  const reply = await send("POST", "/en/account");
  expect([reply.status, reply.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
  expect(reply.body).toContain("<html");
  expect(await errorsLogged()).toEqual([]);
});

test.each([
  ["/en", "GET, HEAD"],
  ["/en/sign-in", "GET, HEAD, POST"],
])("OPTIONS %s names the methods of the page", async (path, allow) => {
  const reply = await send("OPTIONS", path);
  expect([reply.status, reply.headers.get("allow"), reply.body]).toEqual([204, allow, ""]);
});

test("a PUT does not sign out", async () => {
  const client = await signUp(app.url);
  expect((await client.fetch("/en/sign-out", { method: "PUT" })).status).toBe(405);
  expect((await client.fetch("/en/account")).status).toBe(200);
});

test.each([
  "localhost/healthz?",
  "localhost#",
  "a@b",
  "a b",
  "localhost:",
  "localhost:99999",
  "127.1",
  "",
])("Host %j is a 400, with an id, the headers and a line in the log", async (host) => {
  const reply = await sendRaw(app.url, ["GET /x HTTP/1.1", `Host: ${host}`, "Connection: close"]);
  expect(reply.status).toBe(400);
  expect(JSON.parse(reply.body)).toMatchObject({ code: "invalid_host" });
  await expectWhole(reply);
});

test("a request without Host is the same 400", async () => {
  const reply = await sendRaw(app.url, ["GET /x HTTP/1.1", "Connection: close"]);
  expect(JSON.parse(reply.body)).toMatchObject({ status: 400, code: "invalid_host" });
  await expectWhole(reply);
});

test.each([
  ["localhost", "localhost"],
  ["localhost", "other.example"],
  ["", "localhost"],
])("the Host lines %j and %j in one request are the same 400", async (first, second) => {
  const reply = await sendRaw(app.url, [
    "GET /en HTTP/1.1",
    `Host: ${first}`,
    "Connection: close",
    `HOST: ${second}`,
  ]);
  expect(JSON.parse(reply.body)).toMatchObject({ status: 400, code: "invalid_host" });
  await expectWhole(reply);
});

test.each(["localhost", "LOCALHOST:80", "localhost:443", "my_app:3000", "[::1]", "[::1]:3000"])(
  "Host %s is served",
  async (host) => {
    const reply = await sendRaw(app.url, [
      "GET /en HTTP/1.1",
      `Host: ${host}`,
      "Connection: close",
    ]);
    expect(reply.status).toBe(200);
  },
);

test.each([
  ["OPTIONS", "*"],
  ["GET", "http://localhost/healthz"],
  ["GET", "http://[::1/x"],
  ["GET", "/en?_data=root"],
  ["POST", "/en/sign-out?%5Fdata=routes%2F_index"],
])("%s %s is a 400 and nobody's error", async (method, target) => {
  const reply = await send(method, target);
  expect(JSON.parse(reply.body)).toMatchObject({ status: 400, code: "invalid_target" });
  await expectWhole(reply);
  expect(await errorsLogged()).toEqual([]);
});

test.each([
  ["a path", `/${"a/".repeat(512)}`],
  ["a query", `/en?${"a".repeat(8_192)}`],
])("%s that is too long is a 414 and nobody's error", async (_what, target) => {
  const reply = await send("GET", target);
  expect(JSON.parse(reply.body)).toMatchObject({ status: 414, code: "target_too_long" });
  await expectWhole(reply);
  expect((await send("GET", target.slice(0, -1))).status).not.toBe(414);
});

test("an untrusted forwarded header changes nothing and is logged once", async () => {
  const send = (...lines: string[]) =>
    sendRaw(app.url, ["GET /en HTTP/1.1", "Host: localhost", "Connection: close", ...lines]);
  const forged = ["X-Forwarded-For: 192.0.2.1", "X-Forwarded-Host: a@b", "X-Forwarded-Proto: a b"];
  expect((await send(...forged)).status).toBe(200);
  expect((await send(...forged)).status).toBe(200);
  const logs = await app.server.allLogs();
  const warnings = logs.filter(({ msg }) => /X-Forwarded-For/.test(String(msg)));
  expect(warnings).toHaveLength(1);
});

test("a proxy's host is used only if configured, and only known schemes are accepted", async () => {
  const server = await startTestServer({ DATABASE_URL: app.databaseUrl, TRUST_PROXY: "1" });
  try {
    const send = (line: string) =>
      sendRaw(server.url, ["GET /en HTTP/1.1", "Host: localhost", "Connection: close", line]);
    expect((await send("X-Forwarded-Host: a@shop.example")).status).toBe(200);
    expect((await send("X-Forwarded-Proto: a b")).status).toBe(200);
    expect((await send("X-Forwarded-Proto: https, http")).status).toBe(200);
  } finally {
    await server.stop();
  }
});

async function expectWhole({ headers, status }: RawResponse): Promise<void> {
  const requestId = headers.get("x-request-id");
  expect(requestId).toMatch(/^[0-9a-f-]{36}$/);
  expect(headers.get("content-security-policy")).toContain("default-src 'none'");
  const lines = () => app.server.logs.filter((line) => line.requestId === requestId);
  await expect.poll(lines).toMatchObject([{ msg: "request", status }]);
}

/** Directives that ASVS 3.4.3 and 3.4.6 want on every response. */
const POLICY = ["object-src 'none'", "base-uri 'none'", "frame-ancestors 'none'"];

/** Headers after which two servers may disagree where the body ends. */
const SMUGGLED = [
  ["Content-Length: 3", "Transfer-Encoding: chunked"],
  ["Transfer-Encoding: chunked", "Content-Length: 3"],
  ["Content-Length: 3", "Content-Length: 4"],
  ["Content-Length: +3"],
  ["Transfer-Encoding: chunked, identity"],
  ["Transfer-Encoding : chunked"],
  ["Content-Length: 3\n"],
];

test.each([
  [400, "invalid_request", ["NO HTTP AT ALL"]],
  [
    431,
    "headers_too_large",
    ["GET /en HTTP/1.1", "Host: localhost", `X-Long: ${"x".repeat(20_000)}`],
  ],
  ...SMUGGLED.map((lines): [number, string, string[]] => [
    400,
    "invalid_request",
    ["POST /en/sign-in HTTP/1.1", "Host: localhost", ...lines],
  ]),
])("what Node refuses by itself is a %i problem with an id", async (status, code, lines) => {
  const reply = await sendRaw(app.url, lines);
  expect(reply.status).toBe(status);
  expect(reply.headers.get("content-type")).toContain("application/problem+json");
  expect(JSON.parse(reply.body)).toMatchObject({ status, code });
  expect(reply.headers.get("x-content-type-options")).toBe("nosniff");
  const policy = reply.headers.get("content-security-policy") ?? "";
  for (const directive of POLICY) expect(policy).toContain(directive);
  const requestId = reply.headers.get("x-request-id");
  expect(requestId).toMatch(/^[0-9a-f-]{36}$/);
  const logged = () => app.server.logs.filter((line) => line.requestId === requestId);
  await expect.poll(logged).toMatchObject([{ msg: "request refused", status }]);
});

test.each([
  "/assets/../en/sign-in",
  "/assets/%2e%2e/en/sign-in",
  "/assets/.%2E/en/sign-in",
  "/en/./sign-in",
  "/en/sign-in/.",
  "/en/sign-in/..",
  "/..",
  "/en\\..\\api/openapi.json",
])("POST %s is a 400 invalid_target, with its line in the log", async (target) => {
  const reply = await send("POST", target);
  expect(reply.status).toBe(400);
  expect(JSON.parse(reply.body)).toMatchObject({ code: "invalid_target" });
  await expectWhole(reply);
});

test.each(["/en/terms/...", "/en/.hidden", "/en/a..b", "/en/sign-in?redirectTo=/a/../b"])(
  "%s is a path like any other",
  async (target) => expect([200, 404]).toContain((await send("GET", target)).status),
);

test("behind a proxy the first forwarded host is taken; an id that came with the request is logged beside our own", async () => {
  const server = await startTestServer({
    DATABASE_URL: app.databaseUrl,
    TRUST_PROXY: "1",
    TRUST_PROXY_HOST: "true",
  });
  try {
    const forwarded = (host: string) =>
      sendRaw(server.url, [
        "GET /en HTTP/1.1",
        "Host: app:3000",
        `X-Forwarded-Host: ${host}`,
        "X-Request-Id: proxys-own-id",
        "Connection: close",
      ]);
    const served = await forwarded("shop.example, inner:99999999");
    const refused = await forwarded("a@shop.example");
    expect([served.status, refused.status]).toEqual([200, 400]);
    for (const { headers } of [served, refused]) {
      const requestId = headers.get("x-request-id");
      expect(requestId).toMatch(/^[0-9a-f-]{36}$/);
      const line = () => server.logs.find((entry) => entry.requestId === requestId);
      await expect.poll(line).toMatchObject({ msg: "request", proxyRequestId: "proxys-own-id" });
    }
  } finally {
    await server.stop();
  }
});

test.each([
  ["/", "no-store"],
  ["/en.data", "no-store"],
  ["/en/account.data", "no-store"],
  ["/nowhere.data", "no-store"],
  ["/en/sign-in", "public, max-age=0, must-revalidate"],
  ["/en/sign-in?redirectTo=%2Fen", "no-store"],
  ["/en/reset-password", "no-store"],
  ["/en/demo/image-generator", "private, no-cache"],
  ["/en/demo/image-generator.data", "private, no-cache"],
  ["/favicon.svg", "public, max-age=3600"],
])("%s is cached as %s", async (path, cacheControl) => {
  const response = await fetch(app.url + path, { redirect: "manual" });
  expect(response.headers.get("cache-control")).toBe(cacheControl);
});
