import http from "node:http";
import net from "node:net";
import { expect, test } from "vitest";
import { listenLocally } from "#tests/helpers/local-server";
import { fetchImage } from "~/services/images/fetch-image.server";
import type { ResolveHost } from "~/services/outgoing/guarded-get.server";
import { drawPicture } from "../../../scripts/sandbox/images/draw";

const PUBLIC_API = "https://fal.run";
const LOCAL_API = "http://127.0.0.1:1234/fal";
const PNG = drawPicture("0".repeat(32), 8, 8);

const failedBy = (reason: string) => ({ status: "failed", reason });

test.each([
  "127.0.0.1",
  "127.1",
  "2130706433",
  "0x7f000001",
  "0x7f.1",
  "0177.0.0.1",
  "127.0.0.1.",
  "①②⑦.⓪.⓪.①",
  "0.0.0.0",
  "0",
  "[::1]",
  "[::]",
  "[0:0:0:0:0:0:0:1]",
  "[::ffff:127.0.0.1]",
  "[::ffff:7f00:1]",
  "[::127.0.0.1]",
  "localhost",
  "LOCALHOST",
])("this machine is not reached as %s", async (host) => {
  let connections = 0;
  const port = await listenLocally(
    net.createServer((socket) => {
      connections += 1;
      socket.destroy();
    }),
  );
  const url = `https://${host}:${port}/x.png`;
  expect(await fetchImage({ url, apiBase: PUBLIC_API })).toMatchObject({ status: "failed" });
  expect(connections).toBe(0);
  // The opposite case, to prove that the count above can rise.
  await fetchImage({ url: `https://127.0.0.1:${port}`, apiBase: LOCAL_API });
  expect(connections).toBe(1);
});

test.each([22, 80, 8443])("port %i of a public address is not reached", async (port) => {
  const url = `https://images.example.com:${port}/x.png`;
  const resolve: ResolveHost = () => Promise.reject(new Error("resolved"));
  expect(await fetchImage({ url, apiBase: PUBLIC_API, resolve })).toEqual(failedBy("port"));
});

test.each([
  "10.0.0.1",
  "172.16.0.1",
  "192.168.1.1",
  "169.254.169.254",
  "2852039166",
  "0xa9fea9fe",
  "100.64.0.1",
  "224.0.0.1",
  "255.255.255.255",
  "198.18.0.1",
  "[fe80::1]",
  "[fd00:ec2::254]",
  "[ff02::1]",
  "[64:ff9b::7f00:1]",
  "[64:ff9b:1::7f00:1]",
  "[2002:7f00:1::]",
  "[::ffff:169.254.169.254]",
])("%s is not reached, not even for a provider on this machine", async (host) => {
  for (const apiBase of [PUBLIC_API, LOCAL_API])
    expect(await fetchImage({ url: `https://${host}/x.png`, apiBase })).toEqual(
      failedBy("blocked address"),
    );
});

test.each<[string, string[]]>([
  ["this machine", ["127.0.0.1"]],
  ["this machine in IPv6", ["::1"]],
  ["this machine, mapped", ["::ffff:127.0.0.1"]],
  ["a private address", ["10.1.2.3"]],
  ["a public and a private address", ["8.8.8.8", "10.1.2.3"]],
  ["nothing", []],
])(
  "a name that resolves to %s is not connected to, and is resolved once",
  async (_what, addresses) => {
    let lookups = 0;
    const resolve: ResolveHost = async () => {
      lookups += 1;
      return addresses.map((address) => ({ address, family: net.isIP(address) }));
    };
    const url = "https://images.example.com/x.png";
    expect(await fetchImage({ url, apiBase: PUBLIC_API, resolve })).toEqual(
      failedBy("blocked address"),
    );
    expect(lookups).toBe(1);
  },
);

test("the checked address is the one connected to, whatever the name", async () => {
  const port = await listenLocally(http.createServer((_request, response) => response.end(PNG)));
  const resolve: ResolveHost = async () => [{ address: "127.0.0.1", family: 4 }];
  const url = `http://images.example.com:${port}/x.png`;
  expect(await fetchImage({ url, apiBase: LOCAL_API, resolve })).toMatchObject({
    status: "fetched",
  });
  expect(await fetchImage({ url, apiBase: PUBLIC_API, resolve })).toEqual(failedBy("protocol"));
});

test("a name that does not resolve fails", async () => {
  const resolve: ResolveHost = () => Promise.reject(new Error("ENOTFOUND"));
  const url = "https://images.example.com/x.png";
  expect(await fetchImage({ url, apiBase: PUBLIC_API, resolve })).toEqual(
    failedBy("connection failed"),
  );
});
