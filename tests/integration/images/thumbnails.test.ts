import { expect, inject, test } from "vitest";
import { thumbnailKey } from "~/services/storage/thumbnail-key";
import { drawPicture } from "../../../scripts/sandbox/images/draw";
import { type Client, signUp } from "../../helpers/client";
import { giveCredits } from "../../helpers/ledger";
import { PDF, PNG } from "../../helpers/sample-files";
import { uploadFile } from "../../helpers/upload";
import { withImageServer } from "../../helpers/with-image-server";

const app = withImageServer();

interface StoredFile {
  id: string;
  key: string;
  width: number | null;
  height: number | null;
  widths: number[];
  bytes: number;
}

async function fileOf({ email }: { email: string }): Promise<StoredFile> {
  const [file] = await app.sql<StoredFile>(
    `SELECT files.id, key, width, height, thumbnail_widths AS widths, thumbnail_bytes AS bytes
     FROM files JOIN users ON users.id = user_id WHERE email = $1`,
    [email],
  );
  if (!file) throw new Error("there is no file");
  return file;
}

async function objectAt(key: string): Promise<Response> {
  const { S3_ENDPOINT, S3_BUCKET_NAME } = inject("s3Env");
  return fetch(`${S3_ENDPOINT}/${S3_BUCKET_NAME}/${key}`);
}

const statusesOf = ({ key }: StoredFile) =>
  Promise.all([320, 640].map(async (width) => (await objectAt(thumbnailKey(key, width))).status));

async function generate(person: Client & { email: string }): Promise<void> {
  await giveCredits(app, person.email, 10);
  const { status } = await person.json("POST", "/api/generate-image", { prompt: "a lake" });
  expect(status).toBe(200);
}

const upload = (person: Client, content: Buffer) => uploadFile(person, { content });

test("a generated picture has thumbnails beside it, and they go when it goes", async () => {
  const person = await signUp(app.url);
  await generate(person);
  const file = await fileOf(person);
  expect(file).toMatchObject({ width: 512, height: 512, widths: [320] });
  const small = await objectAt(thumbnailKey(file.key, 320));
  expect(small.headers.get("Content-Type")).toBe("image/webp");
  expect((await small.arrayBuffer()).byteLength).toBe(file.bytes);
  await person.fetch(`/api/storage/files/${file.id}`, { method: "DELETE" });
  expect(await statusesOf(file)).toEqual([404, 404]);
});

test("the gallery offers the sizes of a picture", async () => {
  const person = await signUp(app.url);
  await generate(person);
  const { key } = await fileOf(person);
  const html = await (await person.fetch("/en/demo/image-generator")).text();
  const srcSet = /srcSet="([^"]*)"/.exec(html)?.[1] ?? "";
  expect(srcSet.split(", ").map((source) => source.split(" ")[1])).toEqual(["320w", "512w"]);
  expect(srcSet).toContain(thumbnailKey(key, 320));
});

test("an uploaded picture has thumbnails no wider than itself", async () => {
  const person = await signUp(app.url);
  await upload(person, drawPicture("seed", 500, 400));
  const file = await fileOf(person);
  expect(file).toMatchObject({ width: 500, height: 400, widths: [320] });
  expect(await statusesOf(file)).toEqual([200, 404]);
});

test.each([
  ["a tiny picture", PNG, { width: 1, height: 1 }],
  [
    "a broken picture",
    drawPicture("seed", 500, 400).subarray(0, 600),
    { width: null, height: null },
  ],
])("%s is stored without thumbnails", async (_name, content, size) => {
  const person = await signUp(app.url);
  await upload(person, content);
  expect(await fileOf(person)).toMatchObject({ ...size, widths: [], bytes: 0 });
});

test("a document is stored without thumbnails", async () => {
  const person = await signUp(app.url);
  await uploadFile(person, { content: PDF, filename: "a.pdf", contentType: "application/pdf" });
  expect(await fileOf(person)).toMatchObject({ width: null, widths: [] });
});

test("a private picture's thumbnail is shown by a signed URL alone", async () => {
  const person = await signUp(app.url);
  await upload(person, drawPicture("seed", 500, 400));
  const { key } = await fileOf(person);
  const html = (await (await person.fetch("/en/files")).text()).replaceAll("&amp;", "&");
  const shown = /<img src="([^"]*)"/.exec(html)?.[1] ?? "";
  expect(shown).toContain(thumbnailKey(key, 320));
  expect(shown).toContain("X-Amz-Signature=");
  expect((await fetch(shown)).status).toBe(200);
});
