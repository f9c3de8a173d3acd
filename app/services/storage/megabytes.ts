/** Bytes as megabytes for people, rounded up to a tenth, so that a small file never shows as 0. */
export function megabytes(bytes: number): number {
  return Math.ceil((bytes / 1024 / 1024) * 10) / 10;
}
