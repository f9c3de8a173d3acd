import { readdir } from "node:fs/promises";
import path from "node:path";
import sharp from "sharp";

const FOLDER = "public/samples";
/** Pixels. */
const SIZE = 1024;

/**
 * Draws the site's sample pictures and returns them as PNG, by name. Call it before anything that makes
 * thumbnails: from then on sharp draws no SVG in this process.
 */
export async function readSamples(): Promise<Map<string, Buffer>> {
  const names = (await readdir(FOLDER)).map((file) => path.parse(file).name);
  const pictures = names.map(async (name): Promise<[string, Buffer]> => {
    const svg = path.resolve(FOLDER, `${name}.svg`);
    return [name, await sharp(svg).resize(SIZE, SIZE).png().toBuffer()];
  });
  return new Map(await Promise.all(pictures));
}
