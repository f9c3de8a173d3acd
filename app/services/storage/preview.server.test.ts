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

test("a picture of more than 50 megapixels has no preview", async () => {
  const header = Buffer.from(picture);
  // The size stands in the first chunk of a PNG.
  header.writeUInt32BE(10_000, 16);
  header.writeUInt32BE(10_000, 20);
  await expect(previewOf(header)).rejects.toThrow("exceeds pixel limit");
});
