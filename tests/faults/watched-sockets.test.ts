import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { watchSockets } from "../helpers/watched-sockets";

const silently = '.on("error", () => {})';

/** Ways to reach somebody, and what the watch has to say of each. Nobody listens at any of them. */
const WAYS: Record<string, string> = {
  "connect 127.0.0.1 11": `require("node:net").connect(11, "127.0.0.1")${silently}`,
  "connect 127.0.0.1 12": `require("node:tls").connect(12, "127.0.0.1")${silently}`,
  "connect 127.0.0.1 13": `require("node:http").get("http://127.0.0.1:13")${silently}`,
  "connect 127.0.0.1 14": 'fetch("http://127.0.0.1:14").catch(() => {})',
  "connect ::1 15": `require("node:net").connect(15, "::1")${silently}`,
  "connect /tmp/nobody.sock": `require("node:net").connect("/tmp/nobody.sock")${silently}`,
  "connect 127.0.0.1 16": `require("node:http2").connect("http://127.0.0.1:16")${silently}`,
  "look up first.invalid": 'require("node:dns").lookup("first.invalid", () => {})',
  "look up second.invalid": 'require("node:dns").resolve4("second.invalid", () => {})',
  "look up third.invalid":
    'new (require("node:dns").Resolver)().resolveMx("third.invalid", () => {})',
  "open UDP":
    'const udp = require("node:dgram").createSocket("udp4"); udp.send("x", 9, "127.0.0.1"); udp.unref()',
};

const inThread = (code: string) =>
  `new (require("node:worker_threads").Worker)(${JSON.stringify(code)}, { eval: true })`;
const inChild = (code: string) =>
  `require("node:child_process").spawn(process.execPath, ["-e", ${JSON.stringify(code)}])`;

test.each([
  ["the main thread", (code: string) => code],
  ["a thread", inThread],
  ["a thread of a thread", (code: string) => inThread(inThread(code))],
  ["a child process", inChild],
])("the watch misses nothing that %s does", (_where, place) => {
  const watch = watchSockets();
  spawnSync(process.execPath, ["-e", place(Object.values(WAYS).join(";\n"))], {
    env: { ...process.env, ...watch.env },
    timeout: 60_000,
  });
  const seen = watch.events().map(({ kind, host, port }) => [kind, host, port].join(" ").trim());
  expect(seen).toEqual(expect.arrayContaining(Object.keys(WAYS)));
});
