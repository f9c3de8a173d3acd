import { expect, test } from "vitest";
import { OTHER_LOCALE, translatorOf } from "../../fixtures/languages";
import { type Client, signUp } from "../../helpers/client";
import { PNG, pngOfSize } from "../../helpers/sample-files";
import { putObject, requestUpload, uploadFile } from "../../helpers/upload";
import { withTestServer } from "../../helpers/with-test-server";

const MEGABYTE = 1024 * 1024;

// Five files of the maximum size.
const app = withTestServer({ STORAGE_QUOTA_MB: "50" });

const askFor = (client: Client, contentLength: number, filename = "a.png") =>
  client.json("POST", "/api/storage/upload", { filename, contentType: "image/png", contentLength });

const sizesOf = (email: string) =>
  app.sql<{ size: number; status: string }>(
    `SELECT size, files.status FROM files JOIN users ON users.id = user_id
     WHERE email = $1 AND deleted_at IS NULL ORDER BY files.created_at`,
    [email],
  );

test("pending files count with their declared size, and an upload over the quota is refused with the figures", async () => {
  const client = await signUp(app.url);
  for (let count = 0; count < 5; count++)
    expect((await askFor(client, 10 * MEGABYTE)).status).toBe(200);
  const refused = await askFor(client, 1);
  expect(refused.status).toBe(409);
  expect(refused.body).toMatchObject({
    code: "quota_exceeded",
    quota: 50 * MEGABYTE,
    used: 50 * MEGABYTE,
    required: 1,
    detail: expect.stringContaining("50 of 50 MB"),
  });
  expect(await sizesOf(client.email)).toHaveLength(5);
});

test("of parallel requests only as many pass as fit", async () => {
  const client = await signUp(app.url);
  const responses = await Promise.all(
    Array.from({ length: 12 }, () => askFor(client, 10 * MEGABYTE)),
  );
  expect(responses.filter(({ status }) => status === 200)).toHaveLength(5);
  expect(responses.filter(({ body }) => body.code === "quota_exceeded")).toHaveLength(7);
});

test("a file that is deleted or rejected frees its space at once", async () => {
  const client = await signUp(app.url);
  const first = await askFor(client, 10 * MEGABYTE);
  for (let count = 1; count < 4; count++) await askFor(client, 10 * MEGABYTE);
  const html = pngOfSize(10 * MEGABYTE).fill("<html>", 0, 60);
  const wrong = await requestUpload(client, { content: html });
  await putObject(wrong, html);
  expect((await askFor(client, MEGABYTE)).status).toBe(409);

  const rejected = await client.json("POST", "/api/storage/confirm", { fileId: wrong.fileId });
  expect(rejected.body.code).toBe("content_mismatch");
  expect((await askFor(client, 10 * MEGABYTE)).status).toBe(200);
  expect((await askFor(client, MEGABYTE)).status).toBe(409);

  await client.fetch(`/api/storage/files/${first.body.fileId}`, { method: "DELETE" });
  expect((await askFor(client, 10 * MEGABYTE)).status).toBe(200);
});

test("at most 100 uploads are pending, also when they are asked for at once", async () => {
  const client = await signUp(app.url);
  const responses = await Promise.all(
    Array.from({ length: 110 }, () => askFor(client, PNG.length)),
  );
  const refused = responses.filter(({ status }) => status === 409);
  expect(refused).toHaveLength(10);
  expect(refused[0]?.body).toMatchObject({ code: "too_many_pending", limit: 100, pending: 100 });

  const allowed = responses.find(({ status }) => status === 200);
  await putObject({ uploadUrl: String(allowed?.body.uploadUrl) });
  const { fileId } = allowed?.body ?? {};
  expect((await client.json("POST", "/api/storage/confirm", { fileId })).status).toBe(200);
  expect((await askFor(client, PNG.length)).status).toBe(200);
});

test("one user's files leave another's quota alone", async () => {
  const full = await signUp(app.url);
  for (let count = 0; count < 5; count++) await askFor(full, 10 * MEGABYTE);
  await uploadFile(await signUp(app.url));
});

test("the form without JavaScript says what is full, in the page's language, and stores nothing", async () => {
  const client = await signUp(app.url);
  for (let count = 0; count < 5; count++) await askFor(client, 10 * MEGABYTE - 20_000);
  const body = new FormData();
  body.set(
    "file",
    new File([new Uint8Array(pngOfSize(200_000))], "big.png", { type: "image/png" }),
  );
  const required = (0.2).toLocaleString(OTHER_LOCALE);
  const full = translatorOf(OTHER_LOCALE)("files.failure.quota", {
    used: "50",
    quota: "50",
    required,
  });
  const refused = await client.fetch(`/${OTHER_LOCALE}/files`, { method: "POST", body });
  expect(refused.status).toBe(409);
  expect(await refused.text()).toContain(full);
  expect(await sizesOf(client.email)).toHaveLength(5);
});
