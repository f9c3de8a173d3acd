import { readdir } from "node:fs/promises";
import path from "node:path";
import sharp from "sharp";
import { shapeOf } from "./story";

const FOLDER = "public/samples";
/** Pixels, as a provider makes each shape. */
const SIZES = { square: [1024, 1024], landscape: [1536, 1024], portrait: [1024, 1536] } as const;

/**
 * Draws the site's sample pictures and returns them as PNG, by name. Call it before anything that makes
 * thumbnails: from then on sharp draws no SVG in this process.
 */
export async function readSamples(): Promise<Map<string, Buffer>> {
  const names = (await readdir(FOLDER)).map((file) => path.parse(file).name);
  const pictures = names.map(async (name): Promise<[string, Buffer]> => {
    const svg = path.resolve(FOLDER, `${name}.svg`);
    const [width, height] = SIZES[shapeOf(name)];
    return [name, await sharp(svg).resize(width, height).png().toBuffer()];
  });
  return new Map(await Promise.all(pictures));
}
