import type { ConfirmFailure } from "~/services/storage/confirm-failure";
import { AppError } from "~/utils/app-error";

const FAILURES: Record<ConfirmFailure, { status: number; publicMessage: string }> = {
  file_not_found: { status: 404, publicMessage: "There is no such file in your account." },
  already_confirmed: { status: 409, publicMessage: "This file was confirmed before." },
  file_rejected: {
    status: 409,
    publicMessage: "This file was rejected. Request a new upload.",
  },
  object_missing: {
    status: 422,
    publicMessage: "Nothing has been uploaded yet. PUT the file to its upload URL, then confirm.",
  },
  size_mismatch: {
    status: 422,
    publicMessage: "The stored file is not as long as declared. It was removed; upload it again.",
  },
  type_mismatch: {
    status: 422,
    publicMessage: "The stored file is not of the declared type. It was removed; upload it again.",
  },
  content_mismatch: {
    status: 422,
    publicMessage:
      "The file's content is not of the declared type. It was removed; upload the right one.",
  },
};

/** Maps a confirmation's failure to the API error. */
export function confirmFailure(code: ConfirmFailure): AppError {
  return new AppError({ code, ...FAILURES[code] });
}
