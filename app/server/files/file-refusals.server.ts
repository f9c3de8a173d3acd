import type { QuotaRefusal } from "~/models/files/quota.server";
import type { ConfirmFailure } from "~/services/storage/confirm-failure";
import { megabytes } from "~/services/storage/megabytes";
import { AppError } from "~/utils/app-error";

const FAILURES: Record<ConfirmFailure, string> = {
  file_not_found:
    "We couldn't find that file in your account. GET /api/storage/files lists your files.",
  already_confirmed: "This file is already confirmed. You can use it.",
  file_rejected: "We rejected this file. Request a new upload.",
  confirm_in_progress:
    "Another request is confirming this file now. Wait for its response, or ask again in a minute.",
  object_missing: "The file hasn't been uploaded yet. PUT it to its upload URL, then confirm.",
  size_mismatch:
    "The uploaded file's size doesn't match the declared one, so we removed it. Upload it again.",
  type_mismatch:
    "The uploaded file's type doesn't match the declared one, so we removed it. Upload it again.",
  content_mismatch:
    "The file's content doesn't match the declared type, so we removed it. Upload another file. An SVG may only draw: no scripts, event handlers, links, animations, foreign elements, other addresses, DOCTYPE or entities.",
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
    return `${refusal.pending} of your uploads are unfinished, and the limit is ${refusal.limit}. Nothing was stored. Confirm or delete some of them first.`;
  }
  const [used, quota, required] = [refusal.used, refusal.quota, refusal.required].map(megabytes);
  return `Your files take ${used} of ${quota} MB, and this one needs ${required} MB. Nothing was stored. Delete files you no longer need.`;
}
