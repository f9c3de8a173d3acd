import type { ValidationKey } from "~/i18n/validation-key";
import { CONTENT_TYPES, isLongSvg, MAX_FILE_BYTES } from "~/services/storage/content-types";

/**
 * Not allowed in a file's name: control characters (C0, DEL, C1), path separators, and characters that nobody
 * sees or that turn the text around, so that `exe.png` reads as `gnp.exe`.
 */
export const UNSAFE_IN_NAME = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}/\\]/u;

/** Characters of a file's name. */
export const MAX_NAME_LENGTH = 255;

interface ChosenFile {
  filename: string;
  contentType: string;
  /** Bytes. */
  contentLength: number;
}

/**
 * Returns the messages of a file that the upload's schema would refuse. The browser asks before it
 * sends anything, and it loads no schema library for that.
 */
export function findUploadFaults({
  filename,
  contentType,
  contentLength,
}: ChosenFile): ValidationKey[] {
  const faults: ValidationKey[] = [];
  const { length } = filename.trim();
  if (UNSAFE_IN_NAME.test(filename) || length === 0 || length > MAX_NAME_LENGTH)
    faults.push("validation.filenameInvalid");
  if (!CONTENT_TYPES.some((type) => type === contentType))
    faults.push("validation.contentTypeNotAllowed");
  if (contentLength < 1) faults.push("validation.contentLengthInvalid");
  if (contentLength > MAX_FILE_BYTES) faults.push("validation.fileTooLarge");
  else if (isLongSvg({ contentType, contentLength })) faults.push("validation.svgTooLarge");
  return faults;
}
