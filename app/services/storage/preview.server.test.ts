import { expect, test } from "vitest";
import { createPreview } from "~/services/storage/preview.server";
import { drawPicture } from "../../../scripts/sandbox/images/draw";

const picture = drawPicture("seed", 700, 350);

test("a preview has the picture's size and a WebP for each smaller width", async () => {
  const preview = await createPreview(picture, "image/png");
  expect(preview).toMatchObject({ width: 700, height: 350 });
  expect(preview?.thumbnails.map(({ width }) => width)).toEqual([320, 640]);
  for (const { bytes } of preview?.thumbnails ?? []) {
    expect(Buffer.from(bytes).subarray(8, 12).toString()).toBe("WEBP");
    expect(bytes.length).toBeLessThan(picture.length);
  }
});

test("what isn't one of the four kinds of picture is never opened, whatever its declared type", async () => {
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="900" height="500"/>');
  expect(await createPreview(svg, "image/png")).toBeNull();
  expect(await createPreview(svg, "image/svg+xml")).toBeNull();
  expect(await createPreview(picture, "application/pdf")).toBeNull();
});

test("a picture of more than 50 megapixels has no preview", async () => {
  const header = Buffer.from(picture);
  // The size stands in the first chunk of a PNG.
  header.writeUInt32BE(10_000, 16);
  header.writeUInt32BE(10_000, 20);
  expect(await createPreview(header, "image/png")).toBeNull();
});
