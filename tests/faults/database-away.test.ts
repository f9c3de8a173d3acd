import { beforeAll, expect, test } from "vitest";
import { type Person, signUp } from "../helpers/client";
import { startSilenceableProxy } from "../helpers/silenceable-proxy";
import { createTestDatabase } from "../helpers/test-database";
import { startTestServer, type TestServer } from "../helpers/test-server";

let server: TestServer;
let person: Person;
let goAway: () => void;

beforeAll(async () => {
  const proxy = await startSilenceableProxy(await createTestDatabase());
  goAway = proxy.close;
  server = await startTestServer({ DATABASE_URL: proxy.url });
  person = await signUp(server.url);
  return () => server.stop();
});

/** Pages and routes that ask the database, a write among them. */
const REQUESTS = [
  ["GET", "/en/account"],
  ["GET", "/en/account/credits"],
  ["GET", "/en/account/credits.csv"],
  ["GET", "/api/account/credits"],
  ["GET", "/api/runs"],
  ["POST", "/en/account/data"],
  ["POST", "/api/storage/upload"],
] as const;

/** The response to a request that may change something says that it may have been done; others say to come again. */
const WORDS = { GET: "busy", POST: /may have been done/ };

const bodyFor = (path: string): RequestInit =>
  path.startsWith("/api/")
    ? {
        body: JSON.stringify({ filename: "a.png", contentType: "image/png", contentLength: 10 }),
        headers: { "Content-Type": "application/json" },
      }
    : { body: new URLSearchParams({ intent: "allow" }) };

const ask = ([method, path]: (typeof REQUESTS)[number]) =>
  person.fetch(path, {
    method,
    ...(method === "POST" ? bodyFor(path) : {}),
  });

test("while the database is away, requests get 503 and when to come again, and the log an error", async () => {
  for (const request of REQUESTS)
    expect([request, (await ask(request)).status < 400]).toEqual([request, true]);
  goAway();
  // The first ones find connections that broke, the others find none.
  for (const round of ["first", "second"])
    for (const request of REQUESTS) {
      const response = await ask(request);
      const told = [response.status, response.headers.get("retry-after")];
      expect([round, request, ...told]).toEqual([round, request, 503, "5"]);
      expect(await response.text()).toMatch(WORDS[request[0]]);
    }
  const errors = server.logs.filter(({ level }) => Number(level) >= 50);
  expect(errors.length).toBeGreaterThanOrEqual(REQUESTS.length);
});
