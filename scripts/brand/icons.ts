import sharp from "sharp";

const ICO_HEADER_BYTES = 22;

/**
 * Draws the mark as a square PNG. Phones cut corners of their own, so the larger ones have none and
 * keep the mark within the middle four fifths.
 */
export async function drawIcon(mark: string, size: number): Promise<Buffer> {
  const full = mark.replace(/ rx="\d+"/, "");
  return sharp(Buffer.from(full), { density: (72 * size) / 32 })
    .resize(size, size)
    .png({ palette: true, effort: 9 })
    .toBuffer();
}

/** Wraps a 32 px PNG of the mark as an `.ico` file, for browsers that ask for nothing else. */
export async function drawFavicon(mark: string): Promise<Buffer> {
  const png = await sharp(Buffer.from(mark)).resize(32, 32).png({ effort: 9 }).toBuffer();
  const header = Buffer.alloc(ICO_HEADER_BYTES);
  header.writeUInt16LE(1, 2); // An icon, not a cursor.
  header.writeUInt16LE(1, 4); // One picture.
  header.writeUInt8(32, 6);
  header.writeUInt8(32, 7);
  header.writeUInt16LE(1, 10);
  header.writeUInt16LE(32, 12);
  header.writeUInt32LE(png.length, 14);
  header.writeUInt32LE(ICO_HEADER_BYTES, 18);
  return Buffer.concat([header, png]);
}
