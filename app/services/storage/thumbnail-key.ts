/** Pixels: a tile of the gallery on ordinary screens, and on sharp ones or in a large result. */
export const THUMBNAIL_WIDTHS = [320, 640];

/**
 * Returns the key of an object's thumbnail. It lies beside the original and is as hard to guess. Works
 * on the original's permanent URL, too.
 */
export function thumbnailKey(key: string, width: number): string {
  return `${key.replace(/\.[a-z]{1,5}$/, "")}-${width}.webp`;
}
