import { createServer, type Server } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { freePort, startOnFreePort } from "./free-port";

const LOOPBACK = "127.0.0.1";

async function listen(port: number): Promise<Server> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, LOOPBACK, resolve);
  });
  onTestFinished(() => void server.close());
  return server;
}

test("a preferred port is used if it is free, and another one if not", async () => {
  const preferred = await freePort();
  expect(await freePort(preferred, LOOPBACK)).toBe(preferred);
  await listen(preferred);
  const other = await freePort(preferred, LOOPBACK);
  expect(other).not.toBe(preferred);
  await listen(other);
});

test("ports stay below those of outgoing connections", async () => {
  for (let round = 0; round < 20; round += 1) expect(await freePort()).toBeLessThan(32_768);
});

test("a server whose port is taken between the check and its start gets another one", async () => {
  const tried: number[] = [];
  const port = await startOnFreePort(await freePort(), async (candidate) => {
    tried.push(candidate);
    if (tried.length === 1) await listen(candidate);
    await listen(candidate);
    return candidate;
  });
  expect(tried).toHaveLength(2);
  expect(port).toBe(tried[1]);
});

test("other errors are thrown at once, and a port that is always taken at the fifth attempt", async () => {
  let calls = 0;
  const fail = (error: Error) =>
    startOnFreePort(0, () => {
      calls += 1;
      return Promise.reject(error);
    });
  await expect(fail(new Error("no disk"))).rejects.toThrow("no disk");
  expect(calls).toBe(1);
  const taken = Object.assign(new Error("in use"), { code: "EADDRINUSE" });
  await expect(fail(taken)).rejects.toThrow("in use");
  expect(calls).toBe(6);
});
