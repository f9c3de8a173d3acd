/** Why a file could not be confirmed; the codes of the JSON interface. */
export type ConfirmFailure =
  | "file_not_found"
  | "already_confirmed"
  | "file_rejected"
  | "object_missing"
  | "size_mismatch"
  | "type_mismatch"
  | "content_mismatch";
