import http from "node:http";
import { expect, inject, onTestFinished, test } from "vitest";
import { signUp } from "../../helpers/client";
import { listenLocally } from "../../helpers/local-server";
import { SVG } from "../../helpers/sample-files";
import { startTestServer } from "../../helpers/test-server";
import { putObject, requestUpload, uploadFile } from "../../helpers/upload";
import { runMaintenance } from "../../helpers/with-image-server";
import { withTestServer } from "../../helpers/with-test-server";

const CRON = { CRON_SECRET: "cron-secret-for-tests-only" };
const app = withTestServer(CRON);

const TYPE = "image/svg+xml";
const PUBLIC_SVG = { content: SVG, contentType: TYPE, access: "public", filename: "dibujo ñ.svg" };

const disposition = async (url: string) => (await fetch(url)).headers.get("content-disposition");

const etagOf = async (fileId: string) => {
  const [row] = await app.sql<{ etag: string }>("SELECT etag FROM files WHERE id = $1", [fileId]);
  return row?.etag;
};

const endUploadUrl = (fileId: string) =>
  app.sql("UPDATE files SET created_at = created_at - interval '1 hour' WHERE id = $1", [fileId]);

test("a public SVG is an attachment under its own name and type, its bytes unchanged", async () => {
  const file = await uploadFile(await signUp(app.url), PUBLIC_SVG);
  const object = await fetch(file.url);
  expect(object.headers.get("content-disposition")).toBe(
    `attachment; filename="dibujo _.svg"; filename*=UTF-8''dibujo%20%C3%B1.svg`,
  );
  expect(object.headers.get("content-type")).toBe(TYPE);
  expect(Buffer.from(await object.arrayBuffer()).equals(SVG)).toBe(true);
  expect(object.headers.get("etag")).toBe(await etagOf(file.fileId));
});

test("an SVG that came through the form is an attachment, too", async () => {
  const client = await signUp(app.url);
  const body = new FormData();
  body.set("file", new File([new Uint8Array(SVG)], "a.svg", { type: TYPE }));
  body.set("access", "public");
  expect((await client.fetch("/en/files", { method: "POST", body })).status).toBe(303);
  const { files } = (await client.json("GET", "/api/storage/files")).body;
  const [file] = files as { url: string }[];
  expect(await disposition(file?.url ?? "")).toBe('attachment; filename="a.svg"');
});

test.each(["public", "private"])(
  "a %s SVG with a script behind its first bytes is a 422, and its object is gone",
  async (access) => {
    const client = await signUp(app.url);
    const note = `<!-- ${"x".repeat(10_000)} -->`;
    const content = Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg">${note}<script>alert(1)</script></svg>`,
    );
    const upload = await requestUpload(client, { ...PUBLIC_SVG, content, access });
    await putObject(upload, content, TYPE);
    const { fileId } = upload;
    const reply = await client.json("POST", "/api/storage/confirm", { fileId });
    expect([reply.status, reply.body.code]).toEqual([422, "content_mismatch"]);
    expect(reply.body.detail).toContain("An SVG may only draw: no scripts");
    const object = new URL(upload.uploadUrl);
    expect((await fetch(object.origin + object.pathname)).status).toBe(404);
    await expect
      .poll(() => app.server.logs)
      .toContainEqual(
        expect.objectContaining({ msg: "an SVG was refused", fault: "it has the element script" }),
      );
  },
);

test("an SVG of a mebibyte is taken, and a longer one is a 400 that names its length", async () => {
  const client = await signUp(app.url);
  const [start, end] = ["<svg><!--", "--></svg>"];
  const long = (bytes: number) =>
    Buffer.from(start + "x".repeat(bytes - start.length - end.length) + end);
  const file = await uploadFile(client, { ...PUBLIC_SVG, content: long(1024 * 1024) });
  expect(file).toMatchObject({ status: "confirmed" });
  const reply = await client.json("POST", "/api/storage/upload", {
    filename: "long.svg",
    contentType: TYPE,
    contentLength: 1024 * 1024 + 1,
  });
  expect([reply.status, reply.body.errors]).toEqual([
    400,
    { contentLength: ["Choose an SVG of up to 1 MB."] },
  ]);
});

test("a public picture is shown, and not saved", async () => {
  const file = await uploadFile(await signUp(app.url), { access: "public" });
  expect(await disposition(file.url)).toBeNull();
});

test("of ten confirmations at once of an SVG exactly one succeeds, and maintenance keeps the file", async () => {
  const client = await signUp(app.url);
  const upload = await requestUpload(client, PUBLIC_SVG);
  await putObject(upload, SVG, TYPE);
  const { fileId } = upload;
  const responses = await Promise.all(
    Array.from({ length: 10 }, () => client.json("POST", "/api/storage/confirm", { fileId })),
  );
  expect(responses.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(409)]);
  await endUploadUrl(fileId);
  expect(await runMaintenance(app.url)).toMatchObject({ filesRejected: 0 });
});

test("an SVG uploaded again before its URL expired becomes an attachment again", async () => {
  const client = await signUp(app.url);
  const upload = await requestUpload(client, PUBLIC_SVG);
  await putObject(upload, SVG, TYPE);
  const confirmed = await client.json("POST", "/api/storage/confirm", { fileId: upload.fileId });
  const url = String(confirmed.body.url);
  await putObject(upload, SVG, TYPE);
  expect(await disposition(url)).toBeNull();
  await endUploadUrl(upload.fileId);
  expect(await runMaintenance(app.url)).toMatchObject({ filesRejected: 0 });
  expect(await disposition(url)).toMatch(/^attachment/);
  expect((await fetch(url)).headers.get("etag")).toBe(await etagOf(upload.fileId));
});

test("a store that fails to copy leaves the file pending, and a later confirmation works", async () => {
  const store = { copies: false };
  const endpoint = await proxyToStore(store);
  const server = await startTestServer({ DATABASE_URL: app.databaseUrl, S3_ENDPOINT: endpoint });
  onTestFinished(() => server.stop());
  const client = await signUp(server.url);
  const upload = await requestUpload(client, PUBLIC_SVG);
  await putObject(upload, SVG, TYPE);
  const { fileId } = upload;

  const failed = await client.json("POST", "/api/storage/confirm", { fileId });
  expect([failed.status, failed.body.code]).toEqual([500, "internal_error"]);
  expect(await app.sql("SELECT status, etag FROM files WHERE id = $1", [fileId])).toEqual([
    { status: "pending", etag: null },
  ]);
  store.copies = true;
  const confirmed = await client.json("POST", "/api/storage/confirm", { fileId });
  expect(confirmed.status).toBe(200);
  expect(await disposition(String(confirmed.body.url))).toMatch(/^attachment/);
});

/** Proxies to the tests' store and refuses copies until `copies` is true. */
async function proxyToStore(store: { copies: boolean }): Promise<string> {
  const { S3_ENDPOINT } = inject("s3Env");
  const server = http.createServer((request, response) => {
    const { method, headers, url } = request;
    if (headers["x-amz-copy-source"] && !store.copies) return response.writeHead(500).end();
    const forwarded = http.request(new URL(url ?? "/", S3_ENDPOINT), { method, headers });
    forwarded.on("response", (reply) => {
      response.writeHead(reply.statusCode ?? 500, reply.headers);
      reply.pipe(response);
    });
    request.pipe(forwarded);
  });
  return `http://127.0.0.1:${await listenLocally(server)}`;
}
