const SIGNATURE = Buffer.from("89504e470d0a1a0a", "hex");
/** The chunks that decide how the picture looks. They stay, in the order of the file. */
const SHOWN = new Set([
  "IHDR",
  "PLTE",
  "tRNS",
  "gAMA",
  "cHRM",
  "sRGB",
  "iCCP",
  "eXIf",
  "IDAT",
  "IEND",
]);
/** Bytes of a chunk beside its data: length, name and checksum. */
const FRAME = 12;

/**
 * Returns a PNG without its texts and whatever else isn't shown; other files as they are. Texts may be
 * compressed, and the decoder unpacks each: 9 MB can hold hundreds of thirty megabytes.
 */
export function pngWithoutTexts(file: Uint8Array): Uint8Array {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  if (!bytes.subarray(0, SIGNATURE.length).equals(SIGNATURE)) return file;
  const kept: Buffer[] = [SIGNATURE];
  for (let at = SIGNATURE.length; at + FRAME <= bytes.length; ) {
    const end = at + FRAME + bytes.readUInt32BE(at);
    // A chunk that is cut off stays: the decoder refuses it.
    if (SHOWN.has(bytes.toString("latin1", at + 4, at + 8))) kept.push(bytes.subarray(at, end));
    at = end;
  }
  return Buffer.concat(kept);
}
