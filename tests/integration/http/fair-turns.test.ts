import { once } from "node:events";
import { connect } from "node:net";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { createClient, signUp } from "../../helpers/client";
import { withTestServer } from "../../helpers/with-test-server";

const app = withTestServer({ TRUST_PROXY: "1" });

const FLOOD = 200;
const MOST = 300;
const PATH = "/api/account/credits";
const ATTACKER = "198.51.100.7";
const NEIGHBOUR = "203.0.113.5";

/**
 * Sends a GET from each address, in this order, while the server stands still: when it goes on, all of them
 * are there. Returns the responses as they came.
 */
async function sendAtOnce(path: string, addresses: string[]): Promise<string[]> {
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

test("one person's request does not wait until two hundred of another network are served", async () => {
  const [attacker, neighbour] = [await signUp(app.url), await signUp(app.url)];
  let served = 0;
  const flood = Array.from({ length: FLOOD }, async () => {
    const response = await attacker.fetch(PATH);
    await response.arrayBuffer();
    served += 1;
    return response.status;
  });
  // One of the flood was served, so the others wait already.
  await expect.poll(() => served, { interval: 1 }).toBeGreaterThan(0);
  const before = served;
  expect((await neighbour.fetch(PATH)).status).toBe(200);
  expect(served - before).toBeLessThan(FLOOD / 2);
  expect(new Set(await Promise.all(flood))).toEqual(new Set([200]));
});

test.each([
  ["a redirect", "/en/theme"],
  ["a page", "/en/sign-in"],
  ["a refusal", "/api/cron/maintenance"],
])("nor where each of them is %s, which waits for nothing", async (_what, path) => {
  const flood = Array.from({ length: FLOOD }, () => ATTACKER);
  await sendAtOnce(`${path}?x=1`, [...flood, NEIGHBOUR]);
  const logs = await app.server.allLogs();
  const served = logs.filter((line) => line.msg === "request" && line.path === path);
  expect(served).toHaveLength(FLOOD + 1);
  const place = served.findIndex(({ network }) => network === NEIGHBOUR);
  expect(place).toBeLessThan(FLOOD / 2);
});

test("a network may have 300 requests that run or wait; more are refused and told when to come again", async () => {
  const flood = Array.from({ length: MOST + 50 }, () => ATTACKER);
  const responses = await sendAtOnce("/en/theme", flood);
  const refused = responses.filter((response) => response.startsWith("HTTP/1.1 429"));
  const served = responses.filter((response) => response.startsWith("HTTP/1.1 302"));
  // Some had their turn before the last connection was accepted.
  expect(served.length).toBeGreaterThanOrEqual(MOST);
  expect(refused.length).toBeGreaterThan(0);
  expect(served.length + refused.length).toBe(flood.length);
  for (const response of refused) {
    expect(response).toContain("\r\nRetry-After: 5\r\n");
    expect(response).toContain("\r\nContent-Type: application/problem+json");
    expect(response).toContain('"code":"rate_limited"');
  }
  expect((await createClient(app.url).fetch("/en/sign-in?x=1")).status).toBe(200);
});
