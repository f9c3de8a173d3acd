import { THUMBNAIL_WIDTHS } from "~/services/storage/thumbnail-key";
import { inLane } from "~/utils/lanes.server";
import { log } from "~/utils/logger.server";

/** A small file can claim a gigantic picture; a larger one than this gets no thumbnails. */
const MAX_PIXELS = 50_000_000;

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
  const image = open(bytes, { limitInputPixels: MAX_PIXELS, failOn: "error" }).autoOrient();
  const { autoOrient: size } = await image.metadata();
  const widths = THUMBNAIL_WIDTHS.filter((width) => width < size.width);
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
}
