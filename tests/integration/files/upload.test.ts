import { expect, test } from "vitest";
import { type Client, createClient, signUp } from "../../helpers/client";
import { PNG } from "../../helpers/sample-files";
import { putObject, requestUpload } from "../../helpers/upload";
import { withTestServer } from "../../helpers/with-test-server";

const app = withTestServer();

let shared: Promise<Client> | undefined;
const person = () => (shared ??= signUp(app.url));

const GOOD = { filename: "cat.png", contentType: "image/png", contentLength: 100 };
const MISSING = Symbol("missing");

const BAD: [field: keyof typeof GOOD | "folder" | "access", values: unknown[]][] = [
  [
    "filename",
    [
      MISSING,
      null,
      7,
      [],
      {},
      "",
      "   ",
      "cat.png\r\n",
      "a/b.png",
      "..\\..\\x",
      "../../x",
      "a\0.png",
      "a\r\nb.png",
      "\u0085",
      "a\u202egnp.png",
      "a\u200b.png",
      "a\u2028.png",
      "x".repeat(300),
    ],
  ],
  [
    "contentType",
    [
      MISSING,
      null,
      1,
      "",
      "text/html",
      "image/png; charset=utf-8",
      "IMAGE/PNG",
      "image/*",
      "application/javascript",
      "x".repeat(300),
    ],
  ],
  [
    "contentLength",
    [
      MISSING,
      null,
      "100",
      "",
      0,
      -1,
      1.5,
      10 * 1024 * 1024 + 1,
      Number.MAX_SAFE_INTEGER,
      1e300,
      true,
    ],
  ],
  [
    "folder",
    [
      null,
      7,
      "",
      "/",
      "a/",
      "/a",
      "a//b",
      "../x",
      "a/../b",
      ".",
      "A",
      "a b",
      "a\0b",
      "a\r\nb",
      "ü",
      "x".repeat(65),
    ],
  ],
  ["access", [null, 7, "", "secret", "Private", ["private"]]],
];

const cases = BAD.flatMap(([field, values]) => values.map((value) => ({ field, value })));

test.each(cases)("$field of $value is a 400 that names the field", async ({ field, value }) => {
  const body: Record<string, unknown> = { ...GOOD, [field]: value };
  if (value === MISSING) delete body[field];
  const reply = await (await person()).json("POST", "/api/storage/upload", body);
  expect(reply.status).toBe(400);
  expect(reply.headers.get("content-type")).toContain("application/problem+json");
  expect(reply.body).toMatchObject({ code: "invalid_input", status: 400 });
  expect(Object.keys(reply.body.errors as object)).toEqual([field]);
});

test.each([
  ["cat.png", "cat.png"],
  ["CAT.PNG", "CAT.PNG"],
  ["invoice.html", "invoice.html.png"],
  ["evil.exe", "evil.exe.png"],
  ["a.png.html", "a.png.html.png"],
  [".htaccess", ".htaccess.png"],
  [".png", ".png.png"],
  ["CON", "CON.png"],
  ["cat.", "cat..png"],
])("a picture named %j is stored as %j", async (filename, stored) => {
  const client = await signUp(app.url);
  const { fileId } = await requestUpload(client, { filename });
  const { body } = await client.json("GET", "/api/storage/files");
  expect(body.files).toMatchObject([{ fileId, filename: stored }]);
});

test.each(["jpg", "jpeg", "JPE", "jfif"])("a JPEG may be named .%s", async (extension) => {
  const client = await signUp(app.url);
  const filename = `cat.${extension}`;
  await requestUpload(client, { filename, contentType: "image/jpeg" });
  const { body } = await client.json("GET", "/api/storage/files");
  expect(body.files).toMatchObject([{ filename }]);
});

test("every faulty field is named at once", async () => {
  const reply = await (await person()).json("POST", "/api/storage/upload", {});
  expect(Object.keys(reply.body.errors as object).sort()).toEqual([
    "contentLength",
    "contentType",
    "filename",
  ]);
});

test.each([
  ["not json", "{"],
  ["an empty body", ""],
  ["not UTF-8", new Uint8Array([0x22, 0xff, 0x22])],
])("%s is a 400", async (_name, body) => {
  const response = await (await person()).fetch("/api/storage/upload", { method: "POST", body });
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ code: "invalid_input" });
});

test.each([
  ["null", null],
  ["an array", []],
  ["a text", "x"],
])("%s is a 400", async (_name, body) => {
  const reply = await (await person()).json("POST", "/api/storage/upload", body);
  expect(reply.body).toMatchObject({ code: "invalid_input", status: 400 });
});

test("a body over 1 MiB is a 413, announced or not", async () => {
  const client = await person();
  const body = JSON.stringify({ ...GOOD, filler: "x".repeat(1024 * 1024) });
  const announced = await client.fetch("/api/storage/upload", { method: "POST", body });
  const streamed = await client.fetch("/api/storage/upload", {
    method: "POST",
    body: new Blob([body]).stream(),
    duplex: "half",
  } as RequestInit);
  for (const response of [announced, streamed]) {
    expect(response.status).toBe(413);
    expect(await response.json()).toMatchObject({ code: "payload_too_large" });
  }
});

test("the largest file allowed and unknown fields are fine", async () => {
  const reply = await (await person()).json("POST", "/api/storage/upload", {
    ...GOOD,
    contentLength: 10 * 1024 * 1024,
    folder: "a-1/b_2",
    unknown: true,
  });
  expect(reply.status).toBe(200);
});

test("without a session it is a 401, whatever the body", async () => {
  const reply = await createClient(app.url).json("POST", "/api/storage/upload", {});
  expect(reply.status).toBe(401);
  expect(reply.body).toMatchObject({ code: "unauthenticated" });
});

test("keys are random, carry the owner when private, and never the file's name", async () => {
  const client = await person();
  const first = await requestUpload(client, { filename: "secret-plan.png" });
  const second = await requestUpload(client, { filename: "secret-plan.png", access: "public" });
  const [user] = await app.sql<{ id: string }>("SELECT user_id AS id FROM files WHERE id = $1", [
    first.fileId,
  ]);
  expect(first.key).toMatch(new RegExp(`^private/${user?.id}/uploads/[0-9a-f]{32}\\.png$`));
  expect(second.key).toMatch(/^public\/uploads\/[0-9a-f]{32}\.png$/);
});

test("the store refuses another type, one byte more and one byte less", async () => {
  const client = await person();
  const otherType = await putObject(await requestUpload(client), PNG, "image/gif");
  const longer = await putObject(
    await requestUpload(client),
    Buffer.concat([PNG, PNG.subarray(0, 1)]),
  );
  const shorter = await putObject(await requestUpload(client), PNG.subarray(0, -1));
  expect([otherType.status, longer.status, shorter.status]).toEqual([403, 403, 403]);
});

test("an upload URL lives five minutes", async () => {
  const { uploadUrl } = await requestUpload(await person());
  expect(new URL(uploadUrl).searchParams.get("X-Amz-Expires")).toBe("300");
});
