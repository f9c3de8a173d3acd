import http from "node:http";
import { expect, test } from "vitest";
import { listenLocally } from "#tests/helpers/local-server";
import { fetchImage } from "~/services/images/fetch-image.server";
import type { ResolveHost } from "~/services/outgoing/guarded-get.server";
import { drawPicture } from "../../../scripts/sandbox/images/draw";

const PUBLIC_API = "https://fal.run";
const LOCAL_API = "http://127.0.0.1:1234/fal";
const PNG = drawPicture("0".repeat(32), 8, 8);
const GIF = Buffer.from("R0lGODlhAQABAAAAACwAAAAAAQABAAA=", "base64");
const JPEG = Buffer.from("/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP//", "base64");
const WEBP = Buffer.from("UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==", "base64");

const failedBy = (reason: string) => ({ status: "failed", reason });

async function serve(listener: http.RequestListener): Promise<string> {
  return `http://127.0.0.1:${await listenLocally(http.createServer(listener))}`;
}

const serveBytes = (bytes: Buffer, contentType = "image/png") =>
  serve((_request, response) => {
    response.writeHead(200, { "Content-Type": contentType }).end(bytes);
  });

test.each([
  ["image/png", PNG],
  ["image/gif", GIF],
  ["image/jpeg", JPEG],
  ["image/webp", WEBP],
])(
  "%s is recognised by its bytes, whatever type the server declares",
  async (contentType, bytes) => {
    const url = await serveBytes(bytes, "text/html");
    expect(await fetchImage({ url, apiBase: LOCAL_API })).toEqual({
      status: "fetched",
      bytes,
      contentType,
    });
    expect(
      await fetchImage({
        url: `data:image/png;base64,${bytes.toString("base64")}`,
        apiBase: PUBLIC_API,
      }),
    ).toEqual({ status: "fetched", bytes, contentType });
  },
);

test.each([
  ["HTML", "<!doctype html><script>alert(1)</script>"],
  ["SVG", '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'],
  ["PDF", "%PDF-1.7"],
  ["nothing", ""],
])("%s is not an image, whatever type the server declares", async (_what, text) => {
  const url = await serveBytes(Buffer.from(text));
  expect(await fetchImage({ url, apiBase: LOCAL_API })).toEqual(failedBy("not an image"));
  const data = `data:image/png;base64,${Buffer.from(text).toString("base64")}`;
  expect(await fetchImage({ url: data, apiBase: PUBLIC_API })).toEqual(failedBy("not an image"));
});

test.each(["http://example.com/x.png", "ftp://example.com/x.png", "file:///etc/passwd"])(
  "%s is not fetched",
  async (url) =>
    expect(await fetchImage({ url, apiBase: PUBLIC_API })).toEqual(failedBy("protocol")),
);

test("a URL with a user name is not fetched, nor is an invalid URL", async () => {
  const withUser = await fetchImage({ url: "https://u:p@example.com", apiBase: PUBLIC_API });
  expect(withUser).toEqual(failedBy("credentials in the address"));
  expect(await fetchImage({ url: "x.png", apiBase: PUBLIC_API })).toEqual(
    failedBy("malformed address"),
  );
});

/** Redirects /n to /n-1, and serves the image at /0. */
const serveChain = () =>
  serve((request, response) => {
    const left = Number(request.url?.slice(1));
    if (left === 0) response.end(PNG);
    else response.writeHead(302, { Location: `/${left - 1}` }).end();
  });

test("three redirects are followed, a fourth is not", async () => {
  const base = await serveChain();
  expect(await fetchImage({ url: `${base}/3`, apiBase: LOCAL_API })).toMatchObject({
    status: "fetched",
  });
  expect(await fetchImage({ url: `${base}/4`, apiBase: LOCAL_API })).toEqual(
    failedBy("too many redirects"),
  );
});

test.each([
  ["http://169.254.169.254/latest/meta-data/", "blocked address"],
  ["https://10.0.0.1/", "blocked address"],
  ["//[fe80::1]/", "blocked address"],
  ["ftp://example.com/", "protocol"],
  ["data:image/png;base64,AAAA", "protocol"],
  ["https://u:p@example.com/", "credentials in the address"],
  ["http://", "malformed address"],
])("a redirect to %s is checked like the original URL", async (location, reason) => {
  const url = await serve((_request, response) => {
    response.writeHead(307, { Location: location }).end();
  });
  expect(await fetchImage({ url, apiBase: LOCAL_API })).toEqual(failedBy(reason));
});

test("a host reached by a redirect is checked at connection time", async () => {
  const url = await serve((_request, response) => {
    response.writeHead(308, { Location: "https://inside.example.com/" }).end();
  });
  const resolve: ResolveHost = async () => [{ address: "10.0.0.1", family: 4 }];
  expect(await fetchImage({ url, apiBase: LOCAL_API, resolve })).toEqual(
    failedBy("blocked address"),
  );
});

test.each([
  ["declared", { "Content-Length": 101 }, 10],
  ["not declared", {}, 101],
])("an image over the limit is not read to its end (size %s)", async (_how, headers, sent) => {
  let wasCut = false;
  const url = await serve((_request, response) => {
    response.on("close", () => {
      wasCut = !response.writableFinished;
    });
    response.writeHead(200, headers).write(Buffer.concat([PNG, Buffer.alloc(101)], sent));
  });
  expect(await fetchImage({ url, apiBase: LOCAL_API, maxBytes: 100 })).toEqual(
    failedBy("too large"),
  );
  await expect.poll(() => wasCut).toBe(true);
});

test("an image of exactly the limit is fetched; one byte more is not, as a data URL too", async () => {
  const url = await serveBytes(PNG);
  const data = `data:image/png;base64,${PNG.toString("base64")}`;
  for (const address of [url, data]) {
    const fetched = await fetchImage({
      url: address,
      apiBase: LOCAL_API,
      maxBytes: PNG.length,
    });
    expect(fetched.status).toBe("fetched");
    expect(
      await fetchImage({ url: address, apiBase: LOCAL_API, maxBytes: PNG.length - 1 }),
    ).toEqual(failedBy("too large"));
  }
});

test.each<[string, http.RequestListener]>([
  [
    "drips",
    (_request, response) => {
      const drip = setInterval(() => response.write("."), 5);
      response.once("close", () => clearInterval(drip));
    },
  ],
  ["never responds", () => undefined],
  [
    "redirects slowly",
    (_request, response) => {
      setTimeout(() => response.writeHead(302, { Location: "/again" }).end(), 60);
    },
  ],
])(
  "a server that %s is abandoned at the time limit, which covers all redirects together",
  async (_how, listener) => {
    const url = await serve(listener);
    expect(await fetchImage({ url, apiBase: LOCAL_API, timeoutMs: 100 })).toEqual(
      failedBy("time-out"),
    );
  },
);

test.each<[string, http.RequestListener, string]>([
  ["404", (_request, response) => response.writeHead(404).end(PNG), "status 404"],
  ["206", (_request, response) => response.writeHead(206).end(PNG), "status 206"],
  [
    "302 without an address",
    (_request, response) => response.writeHead(302).end(PNG),
    "status 302",
  ],
  ["reset", (request) => request.socket.resetAndDestroy(), "connection failed"],
  [
    "cut off",
    (request, response) => {
      response.writeHead(200, { "Content-Length": 1000 });
      response.write(PNG, () => request.socket.destroy());
    },
    "connection failed",
  ],
])("%s is a failure, whatever the body", async (_what, listener, reason) => {
  const url = await serve(listener);
  expect(await fetchImage({ url, apiBase: LOCAL_API })).toEqual(failedBy(reason));
});

test.each(["data:text/html;base64,AAAA", "data:image/png,AAAA", "data:image/png;base64", "data:"])(
  "%s is not an image's data URL",
  async (url) =>
    expect(await fetchImage({ url, apiBase: PUBLIC_API })).toEqual(failedBy("malformed data URL")),
);
