import { Readable } from "node:stream";
import fc from "fast-check";
import { expect, test } from "vitest";
import { parseMultipart } from "~/server/files/parse-multipart.server";

const CONTENT_TYPE = "multipart/form-data; boundary=x";
const field = (name: string, value = "v") =>
  `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
const file = (filename: string, content: string) =>
  `--x\r\nContent-Disposition: form-data; name="file"; filename="${filename}"\r\nContent-Type: image/png\r\n\r\n${content}\r\n`;
const END = "--x--\r\n";

function parse(body: string, { contentType = CONTENT_TYPE, chunkBytes = 7 } = {}) {
  const bytes = Buffer.from(body);
  const chunks: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += chunkBytes)
    chunks.push(bytes.subarray(at, at + chunkBytes));
  const saved: Buffer[] = [];
  const save = async (content: AsyncIterable<Buffer>) => {
    for await (const chunk of content) saved.push(chunk);
  };
  const parsed = parseMultipart({
    body: Readable.from(chunks),
    contentType,
    maxFileBytes: 1000,
    save,
  });
  return parsed.then((form) => ({ ...form, content: Buffer.concat(saved).toString() }));
}

test("fields and the one file are read, whatever the chunks", async () => {
  const body = field("access", "public") + file("狐狸 ü.png", "content") + END;
  for (const chunkBytes of [1, 2, 3, 64, 10_000]) {
    const form = await parse(body, { chunkBytes });
    expect([...form.fields]).toEqual([["access", "public"]]);
    expect(form.file).toEqual({ filename: "狐狸 ü.png", contentType: "image/png", size: 7 });
    expect(form.content).toBe("content");
  }
});

test("a form without a chosen file has a null file", async () => {
  expect((await parse(file("", "") + END)).file).toBeNull();
});

test("a file is cut off where it is too long", async () => {
  const form = await parse(file("a.png", "x".repeat(5000)) + END);
  expect([form.file?.size, form.content.length]).toEqual([1000, 1000]);
});

test("a field named __proto__ is a field like any other", async () => {
  const { fields } = await parse(field("__proto__", "x") + field("constructor", "y") + END);
  expect([...fields.keys()]).toEqual(["__proto__", "constructor"]);
  expect(({} as Record<string, unknown>).x).toBeUndefined();
});

test.each([
  ["no boundary", END, "multipart/form-data"],
  ["a boundary of 200 characters", END, `multipart/form-data; boundary=${"x".repeat(200)}`],
  ["no last boundary", file("a.png", "abc"), CONTENT_TYPE],
  ["two files", file("a.png", "1") + file("b.png", "2") + END, CONTENT_TYPE],
  ["21 fields", field("a").repeat(21) + END, CONTENT_TYPE],
  ["41 parts", "--x\r\n\r\n\r\n".repeat(41) + END, CONTENT_TYPE],
  ["nothing", "", CONTENT_TYPE],
])("a form with %s is refused", async (_what, body, contentType) => {
  await expect(parse(body, { contentType })).rejects.toThrow();
});

test("an error of the destination ends the reading with that error", async () => {
  const parsed = parseMultipart({
    body: Readable.from([Buffer.from(file("a.png", "x".repeat(500_000)) + END)]),
    contentType: CONTENT_TYPE,
    maxFileBytes: 1_000_000,
    save: async (content) => {
      for await (const _chunk of content) throw new Error("the disk is full");
    },
  });
  await expect(parsed).rejects.toThrow("the disk is full");
});

test("reading stops at the first part over a limit", async () => {
  let sent = 0;
  async function* parts() {
    for (; sent < 500_000; sent += 1000) yield Buffer.from("--x\r\n\r\n\r\n".repeat(1000));
  }
  const parsed = parseMultipart({
    body: Readable.from(parts()),
    contentType: CONTENT_TYPE,
    maxFileBytes: 1000,
    save: async () => undefined,
  });
  await expect(parsed).rejects.toThrow("partsLimit");
  expect(sent).toBeLessThan(50_000);
});

test("reading always ends, whatever is sent", async () => {
  const pieces = fc.constantFrom(
    ...["--x", "--x\r\n", "--x--", "\r\n", "\r\n\r\n", "--", "a", ":", '"', "\n", "\r", "\0"],
    ...['Content-Disposition: form-data; name="a"', '; filename="b"', "Content-Type: a/b"],
    ...[field("a"), file("b", "c"), END],
  );
  const bodies = fc.array(pieces, { maxLength: 30 }).map((all) => all.join(""));
  await fc.assert(
    fc.asyncProperty(bodies, fc.integer({ min: 1, max: 20 }), async (body, chunkBytes) => {
      const settled = await parse(body, { chunkBytes }).then(
        () => true,
        () => true,
      );
      expect(settled).toBe(true);
    }),
    { numRuns: 500, timeout: 30_000 },
  );
});
