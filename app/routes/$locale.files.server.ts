import { z } from "zod";
import type { ListedFile } from "~/components/files/listed-file";
import { getEnv } from "~/env.server";
import type { SessionUser } from "~/models/accounts/sessions.server";
import { confirmUpload } from "~/models/files/confirm.server";
import {
  countFiles,
  FILE_KINDS,
  type FileKind,
  listFilePage,
  type PagedFile,
} from "~/models/files/file-pages.server";
import { thumbnailUrl } from "~/models/files/thumbnail-url.server";
import { storeUpload } from "~/models/files/uploads.server";
import { confirmFailure, quotaRefused } from "~/server/files/file-refusals.server";
import { withReceivedFile } from "~/server/files/receive-file.server";
import {
  isTypeServable,
  limitConfirms,
  limitUploads,
  requirePublishable,
} from "~/server/files/storage-guard.server";
import { readForm } from "~/server/request/read-body.server";
import { megabytes } from "~/services/storage/megabytes";
import type { ObjectStore } from "~/services/storage/object-store.server";
import { uploadRequestSchema } from "~/services/storage/upload-request";
import { AppError } from "~/utils/app-error";
import { pageNumber } from "~/utils/page-number";

interface Visitor {
  user: SessionUser;
  store: ObjectStore;
}

const FILES_PER_PAGE = 24;

/** Loads one page of files. Its address may name a kind, a view and a page. */
export async function loadFiles(request: Request, { user, store }: Visitor) {
  const search = new URL(request.url).searchParams;
  const kind = FILE_KINDS.find((known) => known === search.get("kind")) ?? "all";
  const view = search.get("view") === "list" ? "list" : "grid";
  const page = pageNumber(search.get("page"));
  const offset = (page - 1) * FILES_PER_PAGE;
  const [counts, rows] = await Promise.all([
    countFiles(user.id),
    listFilePage({ userId: user.id, kind, offset, limit: FILES_PER_PAGE }),
  ]);
  const thumbnailWidth = view === "list" ? 320 : 640;
  return {
    kind: kind satisfies FileKind,
    view: view satisfies "grid" | "list" as "grid" | "list",
    page,
    pages: Math.ceil(counts[kind] / FILES_PER_PAGE),
    counts,
    quota: megabytes(getEnv().storageQuotaBytes),
    files: await Promise.all(rows.map((file) => listedFile(file, { store, thumbnailWidth }))),
  };
}

async function listedFile(
  file: PagedFile,
  { store, thumbnailWidth }: { store: ObjectStore; thumbnailWidth: number },
): Promise<ListedFile> {
  const { prompt, isMovable, wantedAccess } = file;
  const { id, key, filename, status, access, contentType, size, createdAt } = file;
  const isPublic = access === "public" && status === "confirmed";
  return {
    fileId: id,
    filename,
    status,
    access,
    contentType,
    size,
    createdAt: createdAt.toISOString(),
    prompt,
    isMovable,
    wantedAccess,
    publicUrl: isPublic ? store.publicUrl(key) : null,
    thumbnail:
      status === "confirmed" ? await thumbnailUrl(file, { store, width: thumbnailWidth }) : null,
  };
}

/**
 * Stores the file of a multipart form: the upload without JavaScript, in the same steps as a direct
 * upload. The rate limit is checked before any of the body is read.
 * @throws AppError 408 request_timeout, 413 payload_too_large, 429 rate_limited, 503 uploads_busy and
 * busy, 400 invalid_form and invalid_input, 403 email_unverified, 409 quota_exceeded and too_many_pending, and a failed
 * confirmation
 */
export async function receiveUpload(request: Request, visitor: Visitor): Promise<void> {
  await limitUploads(visitor.user.id);
  return storeReceived(request, visitor);
}

function storeReceived(request: Request, { user, store }: Visitor): Promise<void> {
  return withReceivedFile(request, async ({ fields, file }) => {
    if (!file) throw invalidFile(["validation.fileMissing"]);
    const parsed = uploadRequestSchema.safeParse({
      filename: file.filename,
      contentType: file.contentType,
      contentLength: file.size,
      access: fields.get("access"),
    });
    if (!parsed.success) throw invalidFile(parsed.error.issues.map(({ message }) => message));
    const upload = parsed.data;
    if (!isTypeServable(upload.contentType)) throw invalidFile(["validation.svgNotServable"]);
    requirePublishable(upload.access, user);
    const result = await storeUpload({ userId: user.id, store, upload, body: file.read() });
    if (result.status === "quota_exceeded" || result.status === "too_many_pending")
      throw quotaRefused(result);
    if (result.status !== "confirmed") throw confirmFailure(result.status);
  });
}

const confirmFormSchema = z.object({ intent: z.literal("confirm"), fileId: z.string() });

/**
 * Confirms an upload whose page was closed between its PUT and its confirmation.
 * @throws AppError 429 rate_limited, 400 invalid_input, and a failed confirmation
 */
export async function confirmFromForm(request: Request, { user, store }: Visitor): Promise<void> {
  await limitConfirms(user.id);
  const form = confirmFormSchema.safeParse(
    Object.fromEntries(await readForm(request, Object.keys(confirmFormSchema.shape))),
  );
  if (!form.success) throw invalidFile(["validation.fileIdInvalid"]);
  const { fileId } = form.data;
  const { status } = await confirmUpload({ userId: user.id, store, fileId });
  if (status !== "confirmed") throw confirmFailure(status);
}

/** Faults are message keys, shown beside the file field. */
function invalidFile(faults: string[]): AppError {
  return new AppError({
    code: "invalid_input",
    publicMessage: "We couldn't accept the file, so nothing was stored.",
    fields: { file: faults },
  });
}
