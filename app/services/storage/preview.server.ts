import { pngWithoutTexts } from "~/services/storage/png-without-texts.server";
import { THUMBNAIL_WIDTHS } from "~/services/storage/thumbnail-key";
import { inLane } from "~/utils/lanes.server";
import { log } from "~/utils/logger.server";

/** A small file can claim a gigantic picture; a larger one than this gets no thumbnails. */
const MAX_PIXELS = 50_000_000;
/** The same in bytes, which count where pixels have 16 bits for each color. */
const MAX_DECODED_BYTES = 200_000_000;

export interface Preview {
  /** Pixels of the original, as it is shown. */
  width: number;
  height: number;
  /** Smaller copies as WebP; none of a picture that is small itself. */
  thumbnails: { width: number; bytes: Uint8Array }[];
}

/** sharp looks at the bytes, not at the declared type; it may open nothing else. */
const DECODERS = [
  "VipsForeignLoadJpeg",
  "VipsForeignLoadPng",
  "VipsForeignLoadNsgif",
  "VipsForeignLoadWebp",
];
const DECODING_SECONDS = 10;

let sharp: ReturnType<typeof loadSharp> | undefined;

/** sharp is optional: null where it isn't installed, or has no build for this machine. */
async function loadSharp() {
  try {
    const { default: sharp } = await import("sharp");
    sharp.cache(false);
    sharp.block({ operation: ["VipsForeignLoad"] });
    sharp.unblock({ operation: DECODERS });
    return sharp;
  } catch (error) {
    log().info({ err: error }, "no thumbnails: sharp is not installed");
    return null;
  }
}

/** Whether pictures can be decoded here. */
export async function canPreview(): Promise<boolean> {
  sharp ??= loadSharp();
  return (await sharp) !== null;
}

/**
 * Returns a picture's size and its thumbnails. `read` is called once there is room to decode it, so that
 * no picture waits in memory.
 * @throws Error if the picture can't be read or decoded, AppError if there is no room
 */
export function createPreview({
  ownerId,
  read,
}: {
  ownerId: string;
  read: (signal: AbortSignal) => Promise<Uint8Array>;
}): Promise<Preview> {
  return inLane("pictures", async (signal) => decode(await read(signal)), { userId: ownerId });
}

async function decode(bytes: Uint8Array): Promise<Preview> {
  sharp ??= loadSharp();
  const open = await sharp;
  if (!open) throw new Error("sharp is not installed");
  const image = open(pngWithoutTexts(bytes), { limitInputPixels: MAX_PIXELS, failOn: "error" });
  const { width, height, channels, depth, autoOrient: size } = await image.metadata();
  if (width * height * channels * (depth === "uchar" ? 1 : 2) > MAX_DECODED_BYTES)
    throw new Error("the picture has more than 8 bits for each color, and too many pixels");
  const widths = THUMBNAIL_WIDTHS.filter((width) => width < size.width);
  if (widths.length === 0) return { ...size, thumbnails: [] };
  // Decoded once, and not side by side: each decoding takes a thread and the whole picture's memory.
  const { data, info } = await image
    .autoOrient()
    .resize({ width: Math.max(...THUMBNAIL_WIDTHS), withoutEnlargement: true })
    .timeout({ seconds: DECODING_SECONDS })
    .raw()
    .toBuffer({ resolveWithObject: true });
  const thumbnails: Preview["thumbnails"] = [];
  for (const width of widths) {
    const small = open(data, { raw: info }).resize({ width });
    thumbnails.push({ width, bytes: await small.webp({ quality: 78 }).toBuffer() });
  }
  return { ...size, thumbnails };
}
