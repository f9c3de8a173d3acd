import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { expect, test } from "vitest";
import { listenLocally } from "#tests/helpers/local-server";
import { allowAddresses } from "~/services/outgoing/allowed-origins.server";
import { type CallOptions, callJob } from "./call-job";

const SECRET = "cron-secret-of-a-test";
const JOB = { name: "maintenance", schedule: "*/5 * * * *", path: "/api/cron/maintenance" };

type Response = (request: IncomingMessage, response: ServerResponse) => void;

const reply =
  (status: number, body: unknown = {}, headers: Record<string, string> = {}): Response =>
  (_request, response) =>
    void response.writeHead(status, headers).end(JSON.stringify(body));
const silence: Response = () => {};
const hangUp: Response = (request) => void request.socket.destroy();

/** Calls the job; each request gets the next of `responses`. Waits take no time and are recorded. */
async function callWith(responses: Response[], options: Partial<CallOptions> = {}) {
  const requests: { path: string | undefined; authorization: string | undefined }[] = [];
  const port = await listenLocally(
    createServer((request, response) => {
      requests.push({ path: request.url, authorization: request.headers.authorization });
      responses[requests.length - 1]?.(request, response);
    }),
  );
  const baseUrl = `http://127.0.0.1:${port}`;
  allowAddresses({ site: [baseUrl] });
  const waits: number[] = [];
  const reasons: string[] = [];
  const result = await callJob({
    job: JOB,
    baseUrl,
    secret: SECRET,
    timeoutMs: 5_000,
    signal: new AbortController().signal,
    onRetry: ({ reason }) => reasons.push(reason),
    wait: async (ms) => void waits.push(ms),
    now: () => 0,
    ...options,
  });
  return { result, requests, waits, reasons };
}

test("a success is one request with the bearer, and its counts", async () => {
  const { result, requests, waits } = await callWith([reply(200, { grants: 2, credits: 600 })]);
  expect(result).toEqual({ status: "ok", attempts: 1, ms: 0, counts: { grants: 2, credits: 600 } });
  expect(requests).toEqual([{ path: JOB.path, authorization: `Bearer ${SECRET}` }]);
  expect(waits).toEqual([]);
});

test("what fails for now is called again, after longer each time, until it succeeds", async () => {
  const { result, waits, reasons } = await callWith([
    reply(500, { code: "grants_failed", detail: "3 could not be granted." }),
    hangUp,
    reply(502, "bad gateway"),
    reply(200, { grants: 1 }),
  ]);
  expect(result).toMatchObject({ status: "ok", attempts: 4 });
  expect(waits).toEqual([2_000, 15_000, 60_000]);
  expect(reasons).toEqual([
    "status 500, grants_failed, 3 could not be granted.",
    expect.stringMatching(/^fetch failed: /),
    "status 502",
  ]);
});

test("after the fourth attempt it has failed, with the last reason", async () => {
  const { result, requests } = await callWith(Array.from({ length: 9 }, () => reply(503)));
  expect(result).toEqual({ status: "failed", attempts: 4, ms: 0, reason: "status 503" });
  expect(requests).toHaveLength(4);
});

test("an attempt that gets no response in time is given up and made again", async () => {
  const { result, reasons } = await callWith([silence, reply(200, {})], { timeoutMs: 1_000 });
  expect(reasons).toEqual(["no response within 1 s"]);
  expect(result).toMatchObject({ status: "ok", attempts: 2 });
});

test("a response that begins and never ends is given up, too", async () => {
  const begun: Response = (_request, response) => void response.writeHead(200).write("{");
  const { reasons } = await callWith([begun, reply(200, {})], { timeoutMs: 1_000 });
  expect(reasons).toEqual(["no response within 1 s"]);
});

test.each([
  [
    reply(401, { code: "unauthenticated" }),
    /^status 401, unauthenticated: CRON_SECRET differs from/,
  ],
  [
    reply(503, { code: "cron_disabled", detail: "Not set." }),
    /^status 503, cron_disabled, Not set.$/,
  ],
  [reply(404), /^status 404$/],
  [
    reply(301, {}, { Location: "http://127.0.0.1:9/" }),
    /^status 301, a redirect: give the address/,
  ],
  [reply(200, "<html>"), /^status 200 without counts: is this the service's address\?$/],
])("what can only fail the same way is not called again (%#)", async (only, reason) => {
  const { result, requests } = await callWith([only, reply(200, {})]);
  expect(result).toEqual({
    status: "failed",
    attempts: 1,
    ms: 0,
    reason: expect.stringMatching(reason),
  });
  expect(requests).toHaveLength(1);
  expect(JSON.stringify(result)).not.toContain(SECRET);
});

test("told to stop, it gives up in the middle of an attempt, and while it waits", async () => {
  const during = new AbortController();
  const inAttempt = await callWith([() => during.abort()], { signal: during.signal });
  expect(inAttempt.result).toMatchObject({ status: "aborted", attempts: 1 });

  const between = new AbortController();
  const inWait = await callWith([reply(500), reply(200, {})], {
    signal: between.signal,
    wait: async () => between.abort(),
  });
  expect(inWait.result).toMatchObject({ status: "aborted", attempts: 1 });
  expect(inWait.requests).toHaveLength(1);
});
