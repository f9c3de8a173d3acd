import { expect, test } from "vitest";
import { createClient, signUp } from "../../helpers/client";
import { PDF, PNG, SVG } from "../../helpers/sample-files";
import { putObject, requestUpload, uploadFile } from "../../helpers/upload";
import { withTestServer } from "../../helpers/with-test-server";

const app = withTestServer();

const fileRow = async (fileId: string) =>
  (
    await app.sql<{ status: string; etag: string }>(
      "SELECT status, etag FROM files WHERE id = $1",
      [fileId],
    )
  )[0];

test.each([
  ["PNG", PNG, "image/png"],
  ["PDF", PDF, "application/pdf"],
  ["SVG", SVG, "image/svg+xml"],
])(
  "a private %s comes back byte for byte from a URL that expires",
  async (_type, content, contentType) => {
    const client = await signUp(app.url);
    const file = await uploadFile(client, { content, contentType });
    expect(file).toMatchObject({
      status: "confirmed",
      access: "private",
      contentType,
      size: content.length,
    });
    const download = await fetch(file.url);
    expect(Buffer.from(await download.arrayBuffer()).equals(content)).toBe(true);
    expect(download.headers.get("content-disposition")).toMatch(/^attachment/);
    expect(download.headers.get("content-type")).toBe(contentType);
    expect(new URL(file.url).searchParams.get("X-Amz-Expires")).toBe("3600");
    expect(Date.parse(file.urlExpiresAt ?? "")).toBeGreaterThan(Date.now());
  },
);

test("a public file has a lasting URL: endpoint, bucket, key", async () => {
  const file = await uploadFile(await signUp(app.url), { access: "public" });
  expect(file.urlExpiresAt).toBeNull();
  expect(new URL(file.url).pathname).toBe(`/sandbox/${file.key}`);
  expect((await fetch(file.url)).status).toBe(200);
});

test("a download keeps the file's name, whatever its alphabet", async () => {
  const client = await signUp(app.url);
  const file = await uploadFile(client, { filename: "Füchse (1) 'n' 狐狸*.png" });
  const download = await fetch(file.url);
  expect(download.status).toBe(200);
  const disposition = download.headers.get("content-disposition") ?? "";
  expect(decodeURIComponent(disposition.split("filename*=UTF-8''")[1] ?? "")).toBe(
    "Füchse (1) 'n' 狐狸*.png",
  );
});

test("the ETag of the confirmed object is stored", async () => {
  const { fileId, url } = await uploadFile(await signUp(app.url));
  expect((await fileRow(fileId))?.etag).toBe((await fetch(url)).headers.get("etag"));
});

test("a second confirmation is a 409", async () => {
  const client = await signUp(app.url);
  const { fileId } = await uploadFile(client);
  const again = await client.json("POST", "/api/storage/confirm", { fileId });
  expect(again.status).toBe(409);
  expect(again.body.code).toBe("already_confirmed");
});

test("of ten confirmations at once exactly one succeeds", async () => {
  const client = await signUp(app.url);
  const upload = await requestUpload(client);
  await putObject(upload);
  const { fileId } = upload;
  const responses = await Promise.all(
    Array.from({ length: 10 }, () => client.json("POST", "/api/storage/confirm", { fileId })),
  );
  expect(responses.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(409)]);
});

test("nothing uploaded yet is a 422 and stays pending, so that a later confirmation works", async () => {
  const client = await signUp(app.url);
  const upload = await requestUpload(client);
  const { fileId } = upload;
  const early = await client.json("POST", "/api/storage/confirm", { fileId });
  expect([early.status, early.body.code]).toEqual([422, "object_missing"]);
  await putObject(upload);
  expect((await client.json("POST", "/api/storage/confirm", { fileId })).status).toBe(200);
});

test("wrong bytes under a right type are a 422, the object is gone, and the file stays rejected", async () => {
  const client = await signUp(app.url);
  const html = Buffer.from("<!doctype html><script>alert(1)</script>");
  const upload = await requestUpload(client, { content: html });
  await putObject(upload, html);
  const { fileId } = upload;
  const response = await client.json("POST", "/api/storage/confirm", { fileId });
  expect([response.status, response.body.code]).toEqual([422, "content_mismatch"]);
  const object = new URL(upload.uploadUrl);
  expect((await fetch(object.origin + object.pathname)).status).toBe(404);
  const again = await client.json("POST", "/api/storage/confirm", { fileId });
  expect([again.status, again.body.code]).toEqual([409, "file_rejected"]);
});

test.each([
  ["size", "UPDATE files SET size = size + 1 WHERE id = $1", "size_mismatch"],
  ["type", "UPDATE files SET content_type = 'image/gif' WHERE id = $1", "type_mismatch"],
])("an object of another %s than the record's is rejected", async (_what, change, code) => {
  const client = await signUp(app.url);
  const upload = await requestUpload(client);
  await putObject(upload);
  await app.sql(change, [upload.fileId]);
  const response = await client.json("POST", "/api/storage/confirm", { fileId: upload.fileId });
  expect([response.status, response.body.code]).toEqual([422, code]);
  expect((await fileRow(upload.fileId))?.status).toBe("rejected");
});

test.each([[{}], [{ fileId: 7 }], [{ fileId: "" }], [null]])("%j is a 400", async (body) => {
  const response = await (await signUp(app.url)).json("POST", "/api/storage/confirm", body);
  expect([response.status, response.body.code]).toEqual([400, "invalid_input"]);
});

test("another user's file and an invalid id are a 404 everywhere", async () => {
  const owner = await signUp(app.url);
  const pending = await requestUpload(owner);
  await putObject(pending);
  const { fileId } = await uploadFile(owner);
  const other = await signUp(app.url);
  for (const id of [fileId, pending.fileId, "nope", "00000000-0000-0000-0000-000000000000"]) {
    const responses = await Promise.all([
      other.json("POST", "/api/storage/confirm", { fileId: id }),
      other.json("GET", `/api/storage/files/${id}`),
      other.json("DELETE", `/api/storage/files/${id}`),
    ]);
    for (const { status, body } of responses) {
      expect([status, body.code]).toEqual([404, "file_not_found"]);
    }
    const pages = await Promise.all([
      other.fetch(`/en/files/${id}/delete`),
      other.post(`/en/files/${id}/delete`, {}),
      other.fetch(`/en/files/${id}/download`),
      other.post("/en/files", { intent: "confirm", fileId: id }),
    ]);
    expect(pages.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
  }
  expect((await owner.json("GET", `/api/storage/files/${fileId}`)).status).toBe(200);
});

test("the list shows one's own files, newest first, page by page", async () => {
  const client = await signUp(app.url);
  const ids: string[] = [];
  for (let count = 0; count < 3; count++) ids.unshift((await uploadFile(client)).fileId);
  await app.sql(
    `INSERT INTO files (user_id, key, filename, content_type, size, status, created_at)
     SELECT user_id, 'old-' || n, 'old.png', 'image/png', 1, 'confirmed', now() - n * interval '1 day'
     FROM files, generate_series(1, 60) n WHERE files.id = $1`,
    [ids[0]],
  );
  const first = await client.json("GET", "/api/storage/files");
  const files = first.body.files as { fileId: string }[];
  expect(files.slice(0, 3).map(({ fileId }) => fileId)).toEqual(ids);
  expect(files).toHaveLength(50);
  const second = await client.json("GET", `/api/storage/files?cursor=${first.body.nextCursor}`);
  expect(second.body.files).toHaveLength(13);
  expect(second.body.nextCursor).toBeNull();
  const all = [...files, ...(second.body.files as { fileId: string }[])];
  expect(new Set(all.map(({ fileId }) => fileId)).size).toBe(63);
});

test("a deleted file is gone at once, object included", async () => {
  const client = await signUp(app.url);
  const { fileId, url } = await uploadFile(client);
  expect((await client.json("DELETE", `/api/storage/files/${fileId}`)).status).toBe(204);
  expect((await fetch(url)).status).toBe(404);
  expect((await client.json("GET", `/api/storage/files/${fileId}`)).status).toBe(404);
  expect((await client.json("DELETE", `/api/storage/files/${fileId}`)).status).toBe(404);
  expect((await client.json("GET", "/api/storage/files")).body.files).toEqual([]);
});

test("without a session every storage route is a 401", async () => {
  const nobody = createClient(app.url);
  const responses = await Promise.all([
    nobody.json("POST", "/api/storage/upload", {}),
    nobody.json("POST", "/api/storage/confirm", {}),
    nobody.json("GET", "/api/storage/files"),
    nobody.json("GET", "/api/storage/files/x"),
    nobody.json("DELETE", "/api/storage/files/x"),
  ]);
  for (const { status, body } of responses)
    expect([status, body.code]).toEqual([401, "unauthenticated"]);
});
