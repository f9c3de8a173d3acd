/**
 * Returns the key of an object's thumbnail. It lies beside the original and is as hard to guess. Works
 * on the original's permanent URL, too.
 */
export function thumbnailKey(key: string, width: number): string {
  return `${key.replace(/\.[a-z]{1,8}$/, "")}-${width}.webp`;
}
