import type { QuotaRefusal } from "~/models/files/quota.server";
import { megabytes } from "~/services/storage/megabytes";
import { AppError } from "~/utils/app-error";

/** Maps an upload beyond its owner's quota to the API error. */
export function quotaRefused(refusal: QuotaRefusal): AppError {
  const { status: code, ...figures } = refusal;
  return new AppError({ code, status: 409, publicMessage: explain(refusal), extra: figures });
}

function explain(refusal: QuotaRefusal): string {
  if (refusal.status === "too_many_pending") {
    return `${refusal.pending} of your uploads are unfinished, and ${refusal.limit} is the limit. Nothing was stored. Confirm or delete some of them first.`;
  }
  const [used, quota, required] = [refusal.used, refusal.quota, refusal.required].map(megabytes);
  return `Your files take ${used} of ${quota} MB, and this one has ${required} MB. Nothing was stored. Delete files that you no longer need.`;
}
