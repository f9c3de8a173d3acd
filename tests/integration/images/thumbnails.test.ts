import { expect, inject, test, vi } from "vitest";
import { CREDITS_PER_IMAGE } from "~/catalog";
import { thumbnailKey } from "~/services/storage/thumbnail-key";
import { drawPicture } from "../../../scripts/sandbox/images/draw";
import { type Client, signUp } from "../../helpers/client";
import { giveCredits } from "../../helpers/ledger";
import { PDF, PNG } from "../../helpers/sample-files";
import { uploadFile } from "../../helpers/upload";
import { runMaintenance, withImageServer } from "../../helpers/with-image-server";

const app = withImageServer();

interface StoredFile {
  id: string;
  key: string;
  width: number | null;
  height: number | null;
  widths: number[];
  bytes: number;
  /** How often making thumbnails was begun. */
  attempts: number;
  /** Whether it will be begun (again). */
  isDue: boolean;
}

async function fileOf({ email }: { email: string }): Promise<StoredFile> {
  const [file] = await app.sql<StoredFile>(
    `SELECT files.id, key, width, height, thumbnail_widths AS widths, thumbnail_bytes AS bytes,
       thumbnail_attempts AS attempts, thumbnails_due_at IS NOT NULL AS "isDue"
     FROM files JOIN users ON users.id = user_id WHERE email = $1`,
    [email],
  );
  if (!file) throw new Error("there is no file");
  return file;
}

/** The person's one file once it has thumbnails of these widths: they are made after the response. */
async function fileWith(person: { email: string }, widths: number[]): Promise<StoredFile> {
  await expect.poll(() => fileOf(person)).toMatchObject({ widths, isDue: false });
  return fileOf(person);
}

async function objectAt(key: string): Promise<Response> {
  const { S3_ENDPOINT, S3_BUCKET_NAME } = inject("s3Env");
  return fetch(`${S3_ENDPOINT}/${S3_BUCKET_NAME}/${key}`);
}

const statusesOf = ({ key }: StoredFile) =>
  Promise.all([320, 640].map(async (width) => (await objectAt(thumbnailKey(key, width))).status));

async function generate(person: Client & { email: string }): Promise<void> {
  await giveCredits(app, person.email, CREDITS_PER_IMAGE);
  const { status } = await person.json("POST", "/api/generate-image", { prompt: "a lake" });
  expect(status).toBe(200);
}

const upload = (person: Client, content: Buffer) => uploadFile(person, { content });

test("a generated picture has thumbnails beside it, and they go when it goes", async () => {
  const person = await signUp(app.url);
  await generate(person);
  const file = await fileWith(person, [320]);
  expect(file).toMatchObject({ width: 512, height: 512 });
  const small = await objectAt(thumbnailKey(file.key, 320));
  expect(small.headers.get("Content-Type")).toBe("image/webp");
  expect((await small.arrayBuffer()).byteLength).toBe(file.bytes);
  await person.fetch(`/api/storage/files/${file.id}`, { method: "DELETE" });
  expect(await statusesOf(file)).toEqual([404, 404]);
});

test("the gallery offers the sizes of a picture", async () => {
  const person = await signUp(app.url);
  await generate(person);
  const { key } = await fileWith(person, [320]);
  const html = await (await person.fetch("/en/demo/image-generator")).text();
  const srcSet = /srcSet="([^"]*)"/.exec(html)?.[1] ?? "";
  expect(srcSet.split(", ").map((source) => source.split(" ")[1])).toEqual(["320w", "512w"]);
  expect(srcSet).toContain(thumbnailKey(key, 320));
});

test("an uploaded picture has thumbnails no wider than itself", async () => {
  const person = await signUp(app.url);
  await upload(person, drawPicture("seed", 500, 400));
  const file = await fileWith(person, [320]);
  expect(file).toMatchObject({ width: 500, height: 400 });
  expect(await statusesOf(file)).toEqual([200, 404]);
});

test("a tiny picture is stored without thumbnails, and no attempt follows", async () => {
  const person = await signUp(app.url);
  await upload(person, PNG);
  await expect.poll(() => fileOf(person)).toMatchObject({ width: 1, height: 1, isDue: false });
  expect(await fileOf(person)).toMatchObject({ widths: [], bytes: 0, attempts: 1 });
});

test("a broken picture is shown itself; four attempts, each later than the last, then no more", async () => {
  const person = await signUp(app.url);
  await upload(person, drawPicture("seed", 500, 400).subarray(0, 600));
  const { id } = await fileOf(person);
  const hasFailed = (attempt: number) =>
    vi.waitUntil(async () => {
      const lines = await app.server.allLogs();
      return lines.some((line) => line.fileId === id && line.attempt === attempt);
    }, 30_000);
  await hasFailed(1);
  for (const [attempt, minutes] of [2, 10, 50].entries()) {
    const [due] = await app.sql<{ minutes: number }>(
      `SELECT round(extract(epoch FROM thumbnails_due_at - now()) / 60)::int AS minutes
       FROM files WHERE id = $1`,
      [id],
    );
    expect(due).toEqual({ minutes });
    await app.sql("UPDATE files SET thumbnails_due_at = now() WHERE id = $1", [id]);
    await runMaintenance(app.url);
    await hasFailed(attempt + 2);
  }
  expect(await fileOf(person)).toMatchObject({
    width: null,
    widths: [],
    attempts: 4,
    isDue: false,
  });
});

test("a document is stored without thumbnails", async () => {
  const person = await signUp(app.url);
  await uploadFile(person, { content: PDF, filename: "a.pdf", contentType: "application/pdf" });
  expect(await fileOf(person)).toMatchObject({
    width: null,
    widths: [],
    attempts: 0,
    isDue: false,
  });
});

test("a private picture's thumbnail is shown by a signed URL alone", async () => {
  const person = await signUp(app.url);
  await upload(person, drawPicture("seed", 500, 400));
  const { key } = await fileWith(person, [320]);
  const html = (await (await person.fetch("/en/files")).text()).replaceAll("&amp;", "&");
  const shown = /<img src="([^"]*)"/.exec(html)?.[1] ?? "";
  expect(shown).toContain(thumbnailKey(key, 320));
  expect(shown).toContain("X-Amz-Signature=");
  expect((await fetch(shown)).status).toBe(200);
});
