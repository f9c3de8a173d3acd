import { expect, test } from "vitest";
import { drawPicture } from "../../../scripts/sandbox/images/draw";
import { type Client, signUp } from "../../helpers/client";
import { SVG } from "../../helpers/sample-files";
import { putObject, requestUpload, uploadFile } from "../../helpers/upload";
import { withStoreProxy } from "../../helpers/with-store-proxy";

const app = withStoreProxy();

const picture = drawPicture("seed", 500, 400);
/** The most bytes that a confirmation may read of an object, whatever its size. */
const START = 4_100;

async function stored(client: Client, content: Uint8Array = picture) {
  const upload = await requestUpload(client, { content });
  await putObject(upload, content);
  return upload;
}

const confirm = (client: Client, { fileId }: { fileId: string }) =>
  client.json("POST", "/api/storage/confirm", { fileId });

const asked = (key: string) => app.store.requests.filter(({ path }) => path.endsWith(key));

test("of 200 confirmations of one picture at once, one asks the store and the others are refused before it responds", async () => {
  const client = await signUp(app.url);
  const upload = await stored(client);
  const before = asked(upload.key).length;
  const release = app.store.hold(
    ({ method, path }) => method === "HEAD" && path.endsWith(upload.key),
  );
  const responses: { status: number; code: unknown }[] = [];
  const crowd = Array.from({ length: 200 }, async () => {
    const { status, body } = await confirm(client, upload);
    responses.push({ status, code: body.code });
  });
  await expect.poll(() => responses.length).toBe(199);
  expect(new Set(responses.map(({ status, code }) => `${status} ${code}`))).toEqual(
    new Set(["409 confirm_in_progress"]),
  );
  expect(asked(upload.key)).toHaveLength(before + 1);
  release();
  await Promise.all(crowd);
  expect(responses.at(-1)?.status).toBe(200);
});

test("while a person's confirmation waits for the store, another person's is served", async () => {
  const slow = await signUp(app.url);
  const upload = await stored(slow);
  const release = app.store.hold(
    ({ method, path }) => method === "HEAD" && path.endsWith(upload.key),
  );
  const waiting = confirm(slow, upload);
  await expect.poll(app.store.held).toBe(1);
  await uploadFile(await signUp(app.url));
  release();
  expect((await waiting).status).toBe(200);
});

test("drawings are parsed two at a time, and however many one person has, another person's picture is served", async () => {
  const artist = await signUp(app.url);
  const drawing = { content: SVG, filename: "a.svg", contentType: "image/svg+xml" };
  const uploads = await Promise.all(
    Array.from({ length: 15 }, async () => {
      const upload = await requestUpload(artist, drawing);
      await putObject(upload, drawing.content, drawing.contentType);
      return upload;
    }),
  );
  const release = app.store.hold(({ path }) => uploads.some(({ key }) => path.endsWith(key)));
  const waiting = uploads.map((upload) => confirm(artist, upload));
  await expect.poll(app.store.held).toBe(2);
  await uploadFile(await signUp(app.url));
  expect(app.store.held()).toBe(2);
  release();
  const statuses = (await Promise.all(waiting)).map(({ status }) => status);
  expect(new Set(statuses)).toEqual(new Set([200]));
});

test("a confirmation reads the first bytes alone, and the whole picture is read once, after its response", async () => {
  const client = await signUp(app.url);
  const upload = await stored(client);
  const isOriginal = ({ method, path }: { method: string; path: string }) =>
    method === "GET" && path.endsWith(upload.key);
  await confirm(client, upload);
  const reads = () => app.store.requests.filter(isOriginal).map(({ bytes }) => bytes);
  await expect.poll(reads).toEqual([Math.min(START, picture.length), picture.length]);
});

test("a store that fails leaves the file free to be confirmed at once", async () => {
  const client = await signUp(app.url);
  const upload = await stored(client);
  app.store.fail(({ method }) => method === "HEAD");
  expect((await confirm(client, upload)).status).toBe(500);
  app.store.fail(() => false);
  expect((await confirm(client, upload)).status).toBe(200);
});

test("a second press of the button during a check says that it is being done", async () => {
  const client = await signUp(app.url);
  const upload = await stored(client);
  const release = app.store.hold(({ method }) => method === "HEAD");
  const form = { intent: "confirm", fileId: upload.fileId };
  const first = client.post("/en/files", form);
  await expect.poll(app.store.held).toBe(1);
  const second = await client.post("/en/files", form);
  expect(second.status).toBe(409);
  expect(await second.text()).toContain("This file is being checked already.");
  release();
  expect((await first).status).toBe(303);
});
