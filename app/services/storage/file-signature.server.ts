import { fileTypeFromBuffer } from "file-type";
import type { ContentType } from "~/services/storage/content-types";

/** How many of a file's first bytes tell its type; file-type's own sample size. */
export const SIGNATURE_BYTES = 4100;

/** An SVG is XML text: prolog, comments and doctype may stand before its root element. */
const SVG_START =
  /^\uFEFF?\s*(<\?xml[^>]*\?>\s*)?((<!--(?:(?!-->)[\s\S])*-->|<!DOCTYPE\s+svg[^>[]*(\[[^\]]*\])?[^>]*>)\s*)*<svg[\s/>]/i;

/** Whether a file that begins with `start` is of the declared type. */
export async function matchesContentType(
  start: Uint8Array,
  contentType: ContentType,
): Promise<boolean> {
  if (contentType === "image/svg+xml") return SVG_START.test(new TextDecoder().decode(start));
  const detected = await fileTypeFromBuffer(start);
  return detected?.mime === contentType;
}
