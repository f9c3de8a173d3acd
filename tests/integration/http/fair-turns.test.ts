import { once } from "node:events";
import http from "node:http";
import { connect } from "node:net";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { createKeyText } from "~/models/accounts/api-key-text.server";
import { type Client, createClient, newAddress, signUp } from "../../helpers/client";
import { openUpload } from "../../helpers/raw-upload";
import { withTestServer } from "../../helpers/with-test-server";

const app = withTestServer({ TRUST_PROXY: "1" });

const FLOOD = 200;
const MOST = 300;
const ATTACKER = "198.51.100.7";
const NEIGHBOUR = "203.0.113.5";

/**
 * Opens a connection, and returns a function that asks for a balance over it and returns the status. The server
 * has accepted the connection: it accepts one at a time, between other work.
 */
async function connectAs(client: Client, address: string): Promise<() => Promise<number>> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  const headers = { Cookie: client.cookie(), "X-Forwarded-For": address };
  const ask = async (path: string) => {
    const request = http.get(new URL(path, app.url), { agent, headers });
    const [response] = (await once(request, "response")) as [http.IncomingMessage];
    await once(response.resume(), "end");
    return response.statusCode ?? 0;
  };
  await ask("/healthz");
  return () => ask("/api/account/credits");
}

test("one person's request does not wait until two hundred of another network are served", async () => {
  const [attacker, neighbour] = [await signUp(app.url), await signUp(app.url)];
  const address = newAddress();
  const flood = await Promise.all(
    Array.from({ length: FLOOD }, () => connectAs(attacker, address)),
  );
  const ask = await connectAs(neighbour, newAddress());
  let served = 0;
  const statuses = flood.map((send) => send().finally(() => served++));
  expect(await ask()).toBe(200);
  expect(served).toBeLessThan(FLOOD / 2);
  expect(new Set(await Promise.all(statuses))).toEqual(new Set([200]));
});

/**
 * Sends a GET from each address, in this order, while the server stands still: when it goes on, all of them
 * are there. Returns the responses as they came.
 */
async function sendAtOnce(
  path: string,
  addresses: string[],
  headers: string[] = [],
): Promise<string[]> {
  const { pid = 0 } = app.server.process;
  const responses: Promise<string>[] = [];
  const sendFrom = async (address: string) => {
    const socket = connect(Number(new URL(app.url).port), "localhost").setEncoding("utf8");
    let response = "";
    socket.on("data", (text) => {
      response += text;
    });
    responses.push(once(socket, "close").then(() => response));
    const lines = [
      `GET ${path} HTTP/1.1`,
      "Host: localhost",
      `X-Forwarded-For: ${address}`,
      "Connection: close",
      ...headers,
    ];
    await promisify<string>(socket.write.bind(socket))(`${lines.join("\r\n")}\r\n\r\n`);
  };
  process.kill(pid, "SIGSTOP");
  try {
    for (const address of addresses) await sendFrom(address);
  } finally {
    process.kill(pid, "SIGCONT");
  }
  return await Promise.all(responses);
}

test.each([
  ["a redirect", "/en/theme", []],
  ["a page", "/en/sign-in", []],
  ["a refusal", "/api/cron/maintenance", []],
  ["a wrong API key", "/api/runs", [`Authorization: Bearer ${createKeyText("test")}`]],
])("nor where each of them is %s, which waits for nothing", async (_what, path, headers) => {
  const flood = Array.from({ length: FLOOD }, () => ATTACKER);
  await sendAtOnce(`${path}?x=1`, [...flood, NEIGHBOUR], headers);
  const logs = await app.server.allLogs();
  const served = logs.filter((line) => line.msg === "request" && line.path === path);
  expect(served).toHaveLength(FLOOD + 1);
  const place = served.findIndex(({ network }) => network === NEIGHBOUR);
  expect(place).toBeLessThan(FLOOD / 2);
});

test("a network may have 300 requests that run or wait; more are refused and told when to come again", async () => {
  const attacker = createClient(app.url);
  const address = newAddress();
  // Their bodies never come, so each keeps its turn as long as it may.
  const head = { length: 10, path: "/en/sign-in", address };
  const flood = await Promise.all(
    Array.from({ length: 2 * MOST }, () => openUpload(app.url, attacker, head)),
  );
  onTestFinished(() => {
    for (const { socket } of flood) socket.destroy();
  });
  const listRefused = () => flood.map(({ reply }) => reply()).filter((text) => text !== "");
  await expect.poll(() => listRefused().length).toBeGreaterThan(0);
  expect((await createClient(app.url).fetch("/en/sign-in?x=1")).status).toBe(200);
  const refused = listRefused();
  expect(refused.length).toBeLessThanOrEqual(MOST);
  for (const text of refused) {
    expect(text).toMatch(/^HTTP\/1.1 429 /);
    expect(text).toMatch(/^Retry-After: 5\r$/im);
    expect(text).toMatch(/^Content-Type: application\/problem\+json/im);
    expect(text).toContain('"code":"rate_limited"');
  }
});
