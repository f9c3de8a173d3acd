import pLimit from "p-limit";
import type { ContentType } from "~/services/storage/content-types";
import { log } from "~/utils/logger.server";

/** Pixels: a tile of the gallery on ordinary screens, and on sharp ones or in a large result. */
const WIDTHS = [320, 640];
/** A small file can claim a gigantic picture; a larger one than this gets no thumbnails. */
const MAX_PIXELS = 50_000_000;
/** Decoding takes memory: up to four bytes per pixel. */
const AT_ONCE = 2;

export interface Preview {
  /** Pixels of the original, as it is shown. */
  width: number;
  height: number;
  /** Smaller copies as WebP; none of a picture that is small itself. */
  thumbnails: { width: number; bytes: Uint8Array }[];
}

/** SVG is left out: to draw it is to run foreign markup. */
const RASTER = new Set<ContentType>(["image/jpeg", "image/png", "image/gif", "image/webp"]);

/** sharp looks at the bytes, not at the declared type; it may open nothing else. */
const DECODERS = [
  "VipsForeignLoadJpeg",
  "VipsForeignLoadPng",
  "VipsForeignLoadNsgif",
  "VipsForeignLoadWebp",
];
const DECODING_SECONDS = 10;

const limit = pLimit(AT_ONCE);
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

/** Whether `createPreview` can do anything with this type here. */
export async function canPreview(contentType: ContentType): Promise<boolean> {
  if (!RASTER.has(contentType)) return false;
  sharp ??= loadSharp();
  return (await sharp) !== null;
}

/** Returns the picture's size and its thumbnails, or null if it can't be decoded. */
export async function createPreview(
  bytes: Uint8Array,
  contentType: ContentType,
): Promise<Preview | null> {
  if (!(await canPreview(contentType))) return null;
  return limit(() => decode(bytes));
}

async function decode(bytes: Uint8Array): Promise<Preview | null> {
  const open = await sharp;
  if (!open) return null;
  try {
    const image = open(bytes, { limitInputPixels: MAX_PIXELS, failOn: "error" }).autoOrient();
    const { autoOrient: size } = await image.metadata();
    const widths = WIDTHS.filter((width) => width < size.width);
    const thumbnails = await Promise.all(
      widths.map(async (width) => ({
        width,
        bytes: await image
          .clone()
          .resize({ width })
          .webp({ quality: 78 })
          .timeout({ seconds: DECODING_SECONDS })
          .toBuffer(),
      })),
    );
    return { ...size, thumbnails };
  } catch (error) {
    log().info({ err: error }, "no thumbnails: the picture could not be decoded");
    return null;
  }
}
