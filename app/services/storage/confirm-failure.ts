/** Why a file could not be confirmed; also the JSON API's error codes. */
export type ConfirmFailure =
  | "file_not_found"
  | "already_confirmed"
  | "file_rejected"
  | "confirm_in_progress"
  | "object_missing"
  | "size_mismatch"
  | "type_mismatch"
  | "content_mismatch";
