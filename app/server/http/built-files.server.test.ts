import { randomBytes } from "node:crypto";
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { type IncomingMessage, request as send } from "node:http";
import type { AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import express from "express";
import { afterAll, beforeAll, expect, test } from "vitest";
import { compressFiles } from "../../../scripts/lib/compressed-files";
import { builtFiles } from "./built-files.server";

const SCRIPT = `${"export const answer = 42;\n".repeat(200)}// Füchse`;

let folder: string;
let origin: string;
let stop: () => void;

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "built-"));
  await mkdir(path.join(folder, "icons"));
  await mkdir(path.join(folder, "assets"));
  await writeFile(path.join(folder, "icons/small.txt"), "small");
  await writeFile(path.join(folder, "page.js"), SCRIPT);
  await writeFile(path.join(folder, "assets/page-Ab12.js"), SCRIPT);
  await writeFile(path.join(folder, "assets/noise-Ab12.js"), randomBytes(2_000));
  await writeFile(path.join(folder, "picture.webp"), "a".repeat(5_000));
  await compressFiles(folder);
  const app = express();
  app.use(builtFiles(folder));
  app.use((_request, response) => void response.status(404).send("page"));
  const server = app.listen(0);
  await writeFile(path.join(folder, "late.txt"), "late");
  origin = `http://localhost:${(server.address() as AddressInfo).port}`;
  stop = () => server.close();
});

afterAll(async () => {
  stop();
  await rm(folder, { recursive: true });
});

interface Response {
  status: number | undefined;
  headers: IncomingMessage["headers"];
  body: Buffer;
}

/** As `fetch` does, which always names encodings of its own and decodes the body. */
function get(
  name: string,
  headers: Record<string, string> = {},
  method = "GET",
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const request = send(new URL(name, origin), { method, headers }, async (response) => {
      const { statusCode: status, headers } = response;
      resolve({ status, headers, body: Buffer.concat(await response.toArray()) });
    });
    request.once("error", reject).end();
  });
}

test("files that the build made are served; every other path goes on without a look at the disk", async () => {
  const textOf = async (name: string) => {
    const { status, body } = await get(name);
    return [status, body.toString()];
  };
  expect(await textOf("/icons/small.txt")).toEqual([200, "small"]);
  expect(await textOf("/icons")).toEqual([404, "page"]);
  expect(await textOf("/late.txt")).toEqual([404, "page"]);
  expect(await textOf("/en/account")).toEqual([404, "page"]);
  expect(await textOf("/page.js.br")).toEqual([404, "page"]);
});

test("what gets smaller by it is compressed, once", async () => {
  const names = await readdir(folder, { recursive: true });
  expect(names.filter((name) => /\.(br|gz)$/.test(name)).sort()).toEqual([
    "assets/page-Ab12.js.br",
    "assets/page-Ab12.js.gz",
    "page.js.br",
    "page.js.gz",
  ]);
});

test.each([
  ["br, gzip", "br"],
  ["gzip, deflate, br;q=0.5", "gzip"],
  ["gzip", "gzip"],
  ["*", "br"],
  ["br;q=0, *", "gzip"],
  ["br;q=0", undefined],
  ["zstd", undefined],
  ["identity, br;q=0.1", undefined],
  ["identity;q=0", undefined],
])("a client that takes %s gets %s", async (accepted, encoding) => {
  const { status, headers, body } = await get("/page.js", { "Accept-Encoding": accepted });
  const decode = { br: brotliDecompressSync, gzip: gunzipSync }[encoding ?? ""];
  expect(status).toBe(200);
  expect(headers).toMatchObject({ vary: "Accept-Encoding", "content-length": String(body.length) });
  expect(headers["content-encoding"]).toBe(encoding);
  expect(headers["content-type"]?.toLowerCase()).toBe("application/javascript; charset=utf-8");
  expect((decode ? decode(body) : body).toString()).toBe(SCRIPT);
});

test("each encoding is a version of its own, which is revalidated and read in parts as such", async () => {
  const tags = new Set<string | undefined>();
  for (const accepted of ["br", "gzip", "identity"]) {
    const encoding = { "Accept-Encoding": accepted };
    const whole = await get("/page.js", encoding);
    const tag = String(whole.headers.etag);
    tags.add(tag);
    const again = await get("/page.js", { ...encoding, "If-None-Match": tag });
    expect([again.status, again.headers.vary]).toEqual([304, "Accept-Encoding"]);
    const head = await get("/page.js", encoding, "HEAD");
    expect(head.headers).toMatchObject({ etag: tag, "content-length": String(whole.body.length) });
    const part = await get("/page.js", { ...encoding, Range: "bytes=2-9" });
    expect(part.status).toBe(206);
    expect(part.headers["content-encoding"]).toBe(whole.headers["content-encoding"]);
    expect(part.body).toEqual(whole.body.subarray(2, 10));
  }
  expect(tags.size).toBe(3);
});

test("a range beyond the end is refused in plain text, whatever the encoding", async () => {
  const refused = await get("/page.js", { "Accept-Encoding": "br", Range: "bytes=999999-" });
  expect(refused.status).toBe(416);
  expect(refused.headers["content-encoding"]).toBeUndefined();
  expect(refused.headers["content-type"]).toContain("text/html");
});

test("hashed files are kept for a year, others for an hour", async () => {
  const cachingOf = async (name: string) =>
    (await get(name, { "Accept-Encoding": "br" })).headers["cache-control"];
  expect(await cachingOf("/assets/page-Ab12.js")).toBe("public, max-age=31536000, immutable");
  expect(await cachingOf("/page.js")).toBe("public, max-age=3600");
  const picture = await get("/picture.webp", { "Accept-Encoding": "br" });
  expect([picture.headers.vary, picture.headers["content-encoding"]]).toEqual([
    undefined,
    undefined,
  ]);
});

test("a POST is not the file's", async () => {
  expect((await get("/page.js", {}, "POST")).status).toBe(404);
});
