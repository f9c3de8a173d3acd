/** Bytes as megabytes for people, rounded up to a tenth: a small file is never said to take nothing. */
export function megabytes(bytes: number): number {
  return Math.ceil((bytes / 1024 / 1024) * 10) / 10;
}
