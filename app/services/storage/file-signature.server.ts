import { fileTypeFromBuffer } from "file-type";
import type { ContentType } from "~/services/storage/content-types";
import { beginsSvg } from "~/services/storage/svg-start";

/** Number of first bytes needed to detect a file's type; file-type's own sample size. */
export const SIGNATURE_BYTES = 4100;

/** Whether a file that begins with `start` is of the declared type. */
export async function matchesContentType(
  start: Uint8Array,
  contentType: ContentType,
): Promise<boolean> {
  if (contentType === "image/svg+xml") return beginsSvg(new TextDecoder().decode(start));
  const detected = await fileTypeFromBuffer(start);
  return detected?.mime === contentType;
}
