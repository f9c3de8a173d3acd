import { type DatabaseOrTransaction, getDb } from "~/db.server";
import {
  type ConfirmClaim,
  claimForConfirmation,
  markConfirmed,
  markRejected,
  releaseClaim,
} from "~/models/files/confirmations.server";
import { getOwnedFile, type OwnedFile } from "~/models/files/files.server";
import { deleteObject } from "~/models/files/stored-objects.server";
import type { ConfirmFailure } from "~/services/storage/confirm-failure";
import { bytesToCheck, matchesContentType } from "~/services/storage/file-signature.server";
import type { ObjectStore } from "~/services/storage/object-store.server";
import { inLane } from "~/utils/lanes.server";
import { log } from "~/utils/logger.server";

export type ConfirmResult = { status: "confirmed"; file: OwnedFile } | { status: ConfirmFailure };

interface Confirmation {
  userId: string;
  store: ObjectStore;
  fileId: string;
}

/**
 * Claims the pending row, compares the stored object with the declaration and settles the row: confirmed
 * with the object's ETag, or rejected, in which case it tries to remove the object. Of any number of
 * confirmations at once, one asks the store; the others are refused at once. If the store fails, the row
 * stays pending and can be confirmed again. Reads the object's first bytes only, and SVGs whole: thumbnails come later.
 * @throws AppError 429 rate_limited or 503 busy while too many files are being compared
 */
export async function confirmUpload(
  { userId, store, fileId }: Confirmation,
  db: DatabaseOrTransaction = getDb(),
): Promise<ConfirmResult> {
  const claim = await claimForConfirmation({ fileId, userId }, db);
  if (!claim) return explainUnclaimed({ fileId, userId }, db);
  let settled: ConfirmResult | null = null;
  try {
    settled = await settle(claim, store, db);
  } finally {
    if (!settled || settled.status === "object_missing") await giveBack(claim, db);
  }
  return settled ?? explainUnclaimed({ fileId, userId }, db);
}

/** Returns null if the claim was void when the row was to be settled. */
async function settle(
  claim: ConfirmClaim,
  store: ObjectStore,
  db: DatabaseOrTransaction,
): Promise<ConfirmResult | null> {
  const { file } = claim;
  const compare = () => inLane("checks", (signal) => compareWithRecord(file, { store, signal }));
  const isDrawing = file.contentType === "image/svg+xml";
  const verdict = await (isDrawing ? inLane("drawings", compare) : compare());
  if (verdict.status === "object_missing") return verdict;
  if (verdict.status === "same") {
    const isMarked = await markConfirmed(claim, verdict.etag, db);
    return isMarked ? { status: "confirmed", file: { ...file, status: "confirmed" } } : null;
  }
  if (!(await markRejected(claim, db))) return null;
  await deleteObject(store, file);
  return verdict;
}

async function giveBack(claim: ConfirmClaim, db: DatabaseOrTransaction): Promise<void> {
  try {
    await releaseClaim(claim, db);
  } catch (error) {
    // The fault that led here is the one to report. The lease ends by itself.
    log().warn({ err: error, fileId: claim.file.id }, "the claim on a file was not given back");
  }
}

async function explainUnclaimed(
  owned: { fileId: string; userId: string },
  db: DatabaseOrTransaction,
): Promise<{ status: ConfirmFailure }> {
  const file = await getOwnedFile(owned, db);
  switch (file?.status) {
    case undefined:
      return { status: "file_not_found" };
    case "confirmed":
      return { status: "already_confirmed" };
    case "rejected":
      return { status: "file_rejected" };
    case "pending":
      return { status: "confirm_in_progress" };
  }
}

type Verdict =
  | { status: "same"; etag: string }
  | { status: "object_missing" | "size_mismatch" | "type_mismatch" | "content_mismatch" };

/** `etag` is the version to store: a public SVG becomes an attachment, which is another version. */
async function compareWithRecord(
  file: OwnedFile,
  { store, signal }: { store: ObjectStore; signal: AbortSignal },
): Promise<Verdict> {
  const { key, access, size, contentType } = file;
  const object = await store.head({ key, access, signal });
  if (!object) return { status: "object_missing" };
  if (object.size !== size) return { status: "size_mismatch" };
  if (object.contentType !== contentType) return { status: "type_mismatch" };
  const { etag: version } = object;
  const start = await store.readStart({
    key,
    access,
    etag: version,
    length: bytesToCheck(contentType),
    signal,
  });
  // Replaced or removed between the two checks: the next confirmation sees the new state.
  if (!start) return { status: "object_missing" };
  if (!(await matchesContentType(start, contentType))) return { status: "content_mismatch" };
  const etag = await ensureDisposition({ ...file, ...object, contentType, signal }, store);
  return etag ? { status: "same", etag } : { status: "object_missing" };
}

interface StoredVersion extends Pick<OwnedFile, "key" | "access" | "filename" | "contentType"> {
  etag: string;
  isAttachment: boolean;
  signal?: AbortSignal;
}

/**
 * Makes a public SVG an attachment. Opened at its own URL an SVG is active content, but pages can still
 * show it as an image. The upload's signed URL fixes the headers, so a copy of the object onto itself
 * sets this one. Returns the ETag to store, or null if that version no longer exists.
 */
export async function ensureDisposition(
  { isAttachment, ...file }: StoredVersion,
  store: ObjectStore,
): Promise<string | null> {
  const isActive = file.access === "public" && file.contentType === "image/svg+xml";
  // Some stores give each copy a new ETag. A copies the object and stores the copy's ETag; if B copied
  // the copy, the file would look replaced.
  if (!isActive || isAttachment) return file.etag;
  return store.makeAttachment(file);
}
