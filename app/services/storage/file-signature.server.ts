import { fileTypeFromBuffer } from "file-type";
import { type ContentType, MAX_SVG_BYTES } from "~/services/storage/content-types";
import { findSvgFault } from "~/services/storage/svg-fault.server";
import { log } from "~/utils/logger.server";

/** Number of first bytes needed to detect a file's type; file-type's own sample size. */
export const SIGNATURE_BYTES = 4100;

/** How many of a file's first bytes `matchesContentType` needs: of an SVG all, and one to see that it is too long. */
export function bytesToCheck(contentType: ContentType): number {
  return contentType === "image/svg+xml" ? MAX_SVG_BYTES + 1 : SIGNATURE_BYTES;
}

/** Whether a file that begins with `start` is of the declared type, and if it is an SVG, only draws. */
export async function matchesContentType(
  start: Uint8Array,
  contentType: ContentType,
): Promise<boolean> {
  if (contentType === "image/svg+xml") return isDrawing(start);
  const detected = await fileTypeFromBuffer(start);
  return detected?.mime === contentType;
}

async function isDrawing(bytes: Uint8Array): Promise<boolean> {
  const text = bytes.length > MAX_SVG_BYTES ? null : decodeUtf8(bytes);
  const fault = text === null ? "it is too long or not in UTF-8" : await findSvgFault(text);
  if (fault !== null) log().info({ fault }, "an SVG was refused");
  return fault === null;
}

function decodeUtf8(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}
