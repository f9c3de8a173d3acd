import { crc32, deflateSync } from "node:zlib";
import { expect, test } from "vitest";
import { createPreview } from "~/services/storage/preview.server";
import { drawPicture } from "../../../scripts/sandbox/images/draw";

const picture = drawPicture("seed", 700, 350);
const previewOf = (bytes: Uint8Array) => createPreview({ ownerId: "a", read: async () => bytes });

test("a preview has the picture's size and a WebP for each smaller width", async () => {
  const preview = await previewOf(picture);
  expect(preview).toMatchObject({ width: 700, height: 350 });
  expect(preview.thumbnails.map(({ width }) => width)).toEqual([320, 640]);
  for (const { bytes } of preview.thumbnails) {
    expect(Buffer.from(bytes).subarray(8, 12).toString()).toBe("WEBP");
    expect(bytes.length).toBeLessThan(picture.length);
  }
});

test("what isn't one of the four kinds of picture is never opened", async () => {
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="900" height="500"/>');
  await expect(previewOf(svg)).rejects.toThrow("unsupported image format");
});

test("a picture of 16 bits for each color has no preview if its pixels take more than 200 MB", async () => {
  const header = Buffer.from(picture);
  header.writeUInt32BE(7_000, 16);
  header.writeUInt32BE(7_000, 20);
  // Its depth, and its kind: with transparency.
  header.set([16, 6], 24);
  header.writeUInt32BE(crc32(header.subarray(12, 29)), 29);
  await expect(previewOf(header)).rejects.toThrow("too many pixels");
});

test("texts of a PNG are not unpacked", async () => {
  const text = Buffer.concat([Buffer.from("zTXta\0\0"), deflateSync(Buffer.alloc(30_000_000))]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(text.length - 4);
  frame.writeUInt32BE(crc32(text), 4);
  const chunk = [frame.subarray(0, 4), text, frame.subarray(4)];
  // The first chunk, which gives the size, ends after 33 bytes.
  const bomb = [picture.subarray(0, 33), ...Array(100).fill(chunk).flat(), picture.subarray(33)];
  const before = process.cpuUsage().user;
  expect(await previewOf(Buffer.concat(bomb))).toEqual(await previewOf(picture));
  // Unpacking them takes eight seconds, in threads of the library. Other tests of this process count, too.
  expect(process.cpuUsage().user - before).toBeLessThan(4_000_000);
});

test("a picture of more than 50 megapixels has no preview", async () => {
  const header = Buffer.from(picture);
  // The size stands in the first chunk of a PNG.
  header.writeUInt32BE(10_000, 16);
  header.writeUInt32BE(10_000, 20);
  await expect(previewOf(header)).rejects.toThrow("exceeds pixel limit");
});
