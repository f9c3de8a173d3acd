import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { watchSockets } from "../helpers/watched-sockets";

/** Each connects to a port of its own, on which nobody listens, or asks for a name. */
const WAYS: [string, string][] = [
  ["net", 'require("node:net").connect(11, "127.0.0.1").on("error", () => {})'],
  ["tls", 'require("node:tls").connect(12, "127.0.0.1").on("error", () => {})'],
  ["http", 'require("node:http").get("http://127.0.0.1:13").on("error", () => {})'],
  ["fetch", 'fetch("http://127.0.0.1:14").catch(() => {})'],
  ["IPv6", 'require("node:net").connect(15, "::1").on("error", () => {})'],
  ["a socket's path", 'require("node:net").connect("/tmp/watched-16").on("error", () => {})'],
  ["UDP", 'require("node:dgram").createSocket("udp4").send("x", 17, "127.0.0.1").unref()'],
  ["http2", 'require("node:http2").connect("http://127.0.0.1:18").on("error", () => {})'],
  ["a lookup", 'require("node:dns").lookup("watched-19.invalid", () => {})'],
  ["a query", 'require("node:dns").resolve4("watched-20.invalid", () => {})'],
];

const IN_THREAD = (code: string) =>
  `new (require("node:worker_threads").Worker)(${JSON.stringify(code)}, { eval: true })`;
const IN_CHILD = (code: string) =>
  `require("node:child_process").spawn(process.execPath, ["-e", ${JSON.stringify(code)}])`;

test.each([
  ["the main thread", (code: string) => code],
  ["a thread", IN_THREAD],
  ["a thread of a thread", (code: string) => IN_THREAD(IN_THREAD(code))],
  ["a child process", IN_CHILD],
])("the watch misses nothing that %s does", (_where, place) => {
  const watch = watchSockets();
  const all = WAYS.map(([, code]) => `${code};`).join("\n");
  spawnSync(process.execPath, ["-e", place(all)], {
    env: { ...process.env, ...watch.env },
    timeout: 60_000,
  });
  const seen = watch.events().map(({ host, port }) => `${host} ${port ?? ""}`);
  for (const [number, [way]] of WAYS.entries())
    expect(
      seen.filter((line) => line.includes(String(number + 11))),
      way,
    ).not.toEqual([]);
});
