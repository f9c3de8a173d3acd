import { z } from "zod";
import type { SessionUser } from "~/models/accounts/sessions.server";
import { type ConfirmResult, confirmUpload, storeUpload } from "~/models/files/uploads.server";
import { quotaRefused } from "~/server/quota-refused.server";
import { readForm } from "~/server/read-body.server";
import { refuseLongForm, withReceivedFile } from "~/server/receive-file.server";
import { isTypeServable, limitUploads, requirePublishable } from "~/server/storage-guard.server";
import { withUploadSlot } from "~/server/upload-slots.server";
import type { ObjectStore } from "~/services/storage/object-store.server";
import { uploadRequestSchema } from "~/services/storage/upload-request";

/** The outcome of a post to the files page; `faults` are message keys about the file. */
export type FilesOutcome =
  | { status: "invalid"; faults: string[] }
  | { status: "settled"; result: ConfirmResult };

interface Visitor {
  user: SessionUser;
  store: ObjectStore;
}

/**
 * Stores the file of a multipart form: the upload without JavaScript, in the same steps as a direct
 * upload. The rate limit is checked before any of the body is read.
 * @throws AppError 413 payload_too_large, 429 rate_limited, 503 uploads_busy, 400 invalid_form, 403
 * email_unverified, 409 quota_exceeded and too_many_pending
 */
export async function receiveUpload(request: Request, visitor: Visitor): Promise<FilesOutcome> {
  refuseLongForm(request);
  await limitUploads(visitor.user.id);
  return withUploadSlot(visitor.user.id, () => storeReceived(request, visitor));
}

function storeReceived(request: Request, { user, store }: Visitor): Promise<FilesOutcome> {
  return withReceivedFile(request, async ({ fields, file }) => {
    if (!file) return { status: "invalid", faults: ["validation.fileMissing"] };
    const parsed = uploadRequestSchema.safeParse({
      filename: file.filename,
      contentType: file.contentType,
      contentLength: file.size,
      access: fields.get("access"),
    });
    if (!parsed.success) {
      return { status: "invalid", faults: parsed.error.issues.map((issue) => issue.message) };
    }
    const upload = parsed.data;
    if (!isTypeServable(upload.contentType)) {
      return { status: "invalid", faults: ["validation.svgNotServable"] };
    }
    requirePublishable(upload.access, user);
    const result = await storeUpload({ userId: user.id, store, upload, body: file.read() });
    if (result.status === "quota_exceeded" || result.status === "too_many_pending")
      throw quotaRefused(result);
    return { status: "settled", result };
  });
}

const confirmFormSchema = z.object({ intent: z.literal("confirm"), fileId: z.string() });

/** Confirms an upload whose page was closed between its PUT and its confirmation. */
export async function confirmFromForm(
  request: Request,
  { user, store }: Visitor,
): Promise<FilesOutcome> {
  const form = confirmFormSchema.safeParse(
    Object.fromEntries(await readForm(request, Object.keys(confirmFormSchema.shape))),
  );
  if (!form.success) return { status: "invalid", faults: ["validation.fileIdInvalid"] };
  const { fileId } = form.data;
  return { status: "settled", result: await confirmUpload({ userId: user.id, store, fileId }) };
}
