import type { QuotaRefusal } from "~/models/files/quota.server";
import type { ConfirmFailure } from "~/services/storage/confirm-failure";
import { megabytes } from "~/services/storage/megabytes";
import { AppError } from "~/utils/app-error";

const FAILURES: Record<ConfirmFailure, string> = {
  file_not_found: "There is no such file in your account.",
  already_confirmed: "This file was confirmed before.",
  file_rejected: "This file was rejected. Request a new upload.",
  object_missing: "Nothing has been uploaded yet. PUT the file to its upload URL, then confirm.",
  size_mismatch: "The stored file is not as long as declared. It was removed; upload it again.",
  type_mismatch: "The stored file is not of the declared type. It was removed; upload it again.",
  content_mismatch:
    "The file's content is not of the declared type. It was removed; upload the right one.",
};

/** Maps a confirmation's failure to its error. */
export function confirmFailure(code: ConfirmFailure): AppError {
  return new AppError({ code, publicMessage: FAILURES[code] });
}

/** Maps an upload beyond its owner's quota to its error. */
export function quotaRefused(refusal: QuotaRefusal): AppError {
  const { status: code, ...figures } = refusal;
  return new AppError({ code, publicMessage: explain(refusal), extra: figures });
}

function explain(refusal: QuotaRefusal): string {
  if (refusal.status === "too_many_pending") {
    return `${refusal.pending} of your uploads are unfinished, and ${refusal.limit} is the limit. Nothing was stored. Confirm or delete some of them first.`;
  }
  const [used, quota, required] = [refusal.used, refusal.quota, refusal.required].map(megabytes);
  return `Your files take ${used} of ${quota} MB, and this one has ${required} MB. Nothing was stored. Delete files that you no longer need.`;
}
