import http from "node:http";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { startCatcher } from "#tests/helpers/catcher";
import { listenLocally } from "#tests/helpers/local-server";
import { allowAddresses } from "~/services/outgoing/allowed-origins.server";
import { outgoingFetch } from "~/services/outgoing/outgoing-fetch.server";
import { PURPOSES } from "~/services/outgoing/purposes.server";

const MIB = 1024 * 1024;

/** A server that GitHub's purpose may call. */
async function startAllowed(listener: http.RequestListener): Promise<string> {
  const url = `http://127.0.0.1:${await listenLocally(http.createServer(listener))}`;
  allowAddresses({ github: [`${url}/a/path`] });
  return url;
}

test("the response of an allowed origin comes with status, headers and body, whatever the path", async () => {
  const url = await startAllowed((request, response) => {
    response.writeHead(418, {
      "X-Seen": request.headers["x-sent"] ?? "",
      "Content-Encoding": "gzip",
    });
    response.end(gzipSync(`${request.method} ${request.url}`));
  });
  const reply = await outgoingFetch("github")(`${url}/user?a=b`, {
    method: "POST",
    headers: { "X-Sent": "yes" },
  });
  expect(reply.status).toBe(418);
  expect(reply.headers.get("X-Seen")).toBe("yes");
  expect(await reply.text()).toBe("POST /user?a=b");
  const asRequest = await outgoingFetch("github")(new Request(`${url}/user`, { method: "PUT" }));
  expect(await asRequest.text()).toBe("PUT /user");
});

test("a response without a body is one", async () => {
  const url = await startAllowed((_request, response) => void response.writeHead(204).end());
  const reply = await outgoingFetch("github")(url);
  expect([reply.status, reply.body]).toEqual([204, null]);
});

test.each<[string, (allowed: URL) => string]>([
  ["host", ({ port }) => `http://127.0.0.2:${port}/`],
  ["name of the same host", ({ port }) => `http://localhost:${port}/`],
  ["port", () => "http://127.0.0.1:9/"],
  ["scheme", ({ host }) => `https://${host}/`],
  ["kind of address", () => "data:text/plain,x"],
])(
  "another %s is refused, by an error that names purpose and origin only",
  async (_what, other) => {
    const { url, asked } = await startCatcher();
    allowAddresses({ github: [url] });
    const target = other(new URL(url));
    const { origin } = new URL(target);
    for (const input of [`${target}?secret`, new URL(target), new Request(target)]) {
      const refused = outgoingFetch("github")(input);
      await expect(refused).rejects.toThrow(
        `no call to ${origin} for GitHub: only the address of GITHUB_OAUTH_BASE or GITHUB_API_BASE may be called`,
      );
      await expect(refused).rejects.not.toThrow("secret");
    }
    expect(asked).toEqual([]);
  },
);

test("an address that one purpose may call is refused to another", async () => {
  const { url, asked } = await startCatcher();
  allowAddresses({ github: [url], google: [] });
  await expect(outgoingFetch("google")(url)).rejects.toThrow("for Google");
  expect(asked).toEqual([]);
});

test("a redirect is not followed; who asks for it gets it as it is", async () => {
  const { url: elsewhere, asked } = await startCatcher();
  const url = await startAllowed((_request, response) => {
    response.writeHead(307, { Location: `${elsewhere}/` }).end("moved");
  });
  for (const redirect of [undefined, "follow", "error"] as const)
    await expect(outgoingFetch("github")(url, redirect ? { redirect } : {})).rejects.toThrow();
  const reply = await outgoingFetch("github")(url, { redirect: "manual" });
  expect([reply.status, reply.headers.get("Location")]).toEqual([307, `${elsewhere}/`]);
  expect(asked).toEqual([]);
});

test("an endless response is cut at the limit, packed or not, and its connection ends", async () => {
  const block = Buffer.alloc(MIB, " ");
  const packed = gzipSync(Buffer.alloc(64 * MIB, " "));
  let sent = 0;
  let ended = 0;
  const url = await startAllowed((request, response) => {
    response.once("close", () => {
      ended += 1;
    });
    if (request.url === "/packed")
      return void response.writeHead(200, { "Content-Encoding": "gzip" }).end(packed);
    const pour = () => {
      do sent += 1;
      while (!response.destroyed && response.write(block));
    };
    response.on("drain", pour);
    pour();
  });
  const limit = PURPOSES.github.bytes;
  for (const path of ["/", "/packed"])
    await expect(outgoingFetch("github")(url + path)).rejects.toThrow(
      `GitHub: the response is longer than ${limit} bytes`,
    );
  await expect.poll(() => ended).toBe(2);
  // The rest is what the operating system keeps for both ends.
  expect(sent * MIB).toBeLessThan(limit + 30 * MIB);
});

test("a caller that gives up ends the call with its own reason, before or while it runs", async () => {
  const url = await startAllowed((_request, response) => void response.write("{"));
  const gone = AbortSignal.abort(new Error("the visitor left"));
  await expect(outgoingFetch("github")(url, { signal: gone })).rejects.toThrow("the visitor left");
  const soon = AbortSignal.timeout(50);
  await expect(outgoingFetch("github")(url, { signal: soon })).rejects.toMatchObject({
    name: "TimeoutError",
  });
  const request = new Request(url, { signal: AbortSignal.timeout(50) });
  await expect(outgoingFetch("github")(request)).rejects.toMatchObject({ name: "TimeoutError" });
});

test("a response that drips past the purpose's time is given up", async () => {
  const url = await startAllowed((_request, response) => {
    const drip = setInterval(() => response.write("."), 20);
    response.once("close", () => clearInterval(drip));
  });
  allowAddresses({ breachedPasswords: [url] });
  const began = performance.now();
  await expect(outgoingFetch("breachedPasswords")(url)).rejects.toMatchObject({
    name: "TimeoutError",
    message: "Have I Been Pwned: time-out",
  });
  expect(performance.now() - began).toBeGreaterThan(PURPOSES.breachedPasswords.seconds * 990);
});
