import type { Readable } from "node:stream";
import { type DatabaseOrTransaction, getDb } from "~/db.server";
import { getEnv } from "~/env.server";
import {
  getOwnedFile,
  markConfirmed,
  markDeleted,
  markRejected,
  type OwnedFile,
  type StoredObjects,
} from "~/models/files/files.server";
import { type QuotaRefusal, reserveFile, reserveLimitedFile } from "~/models/files/quota.server";
import { addThumbnails, deleteThumbnails } from "~/models/files/thumbnails.server";
import type { RateLimited, RateLimitRule } from "~/models/rate-limits.server";
import type { ConfirmFailure } from "~/services/storage/confirm-failure";
import { bytesToCheck, matchesContentType } from "~/services/storage/file-signature.server";
import { createObjectKey } from "~/services/storage/object-key.server";
import type { ObjectStore } from "~/services/storage/object-store.server";
import type { UploadRequest } from "~/services/storage/upload-request";
import { log } from "~/utils/logger.server";

interface Owner {
  userId: string;
  store: ObjectStore;
}

type RequestResult =
  | { status: "allowed"; file: OwnedFile; uploadUrl: string; expiresAt: Date }
  | QuotaRefusal
  | RateLimited;

/**
 * Allows one upload within the rate limit `rule`: creates a pending row and a URL that takes exactly the
 * declared bytes.
 */
export async function requestUpload(
  { userId, store, upload, rule }: Owner & { upload: UploadRequest; rule: RateLimitRule },
  db: DatabaseOrTransaction = getDb(),
): Promise<RequestResult> {
  const { filename, contentType, contentLength, access } = upload;
  const expiresIn = getEnv().ttl.uploadUrl;
  const key = createObjectKey({ ...upload, userId });
  const expiresAt = new Date(Date.now() + expiresIn * 1000);
  const uploadUrl = await store.presignPut({ key, access, contentType, contentLength, expiresIn });
  const file = { userId, key, filename, contentType, size: contentLength, access };
  const reserved = await reserveLimitedFile({ upload: file, rule }, db);
  if (reserved.status !== "reserved") return reserved;
  return { status: "allowed", file: reserved.file, uploadUrl, expiresAt };
}

export type ConfirmResult = { status: "confirmed"; file: OwnedFile } | { status: ConfirmFailure };

/**
 * Compares the stored object with the declaration and settles the row: confirmed with the object's
 * ETag, or rejected, in which case it tries to remove the object. A conditional write changes the
 * status, so of two concurrent confirmations exactly one settles it. If the store fails, the row stays
 * pending and can be confirmed again.
 */
export async function confirmUpload(
  { userId, store, fileId }: Owner & { fileId: string },
  db: DatabaseOrTransaction = getDb(),
): Promise<ConfirmResult> {
  const file = await getOwnedFile({ fileId, userId }, db);
  if (!file) return { status: "file_not_found" };
  if (file.status !== "pending") return settledAlready(file.status);

  const verdict = await compareWithRecord(file, store);
  if (verdict.status === "object_missing") return verdict;

  if (verdict.status === "same") {
    const etag = await ensureDisposition({ ...file, ...verdict }, store);
    // SVG alone is copied above, and has no thumbnails: any other object is still the version checked.
    if (etag) await addThumbnails({ file, etag, store }, db);
    if (etag && (await markConfirmed({ fileId, etag }, db))) {
      return { status: "confirmed", file: { ...file, status: "confirmed" } };
    }
  } else if (await markRejected(fileId, db)) {
    await deleteObject(store, file);
    return verdict;
  }
  const now = await getOwnedFile({ fileId, userId }, db);
  if (!now) return { status: "file_not_found" };
  // Replaced or removed since it was checked: the next confirmation sees the new state.
  if (now.status === "pending") return { status: "object_missing" };
  // Another confirmation was faster: return the same result as if this one had come after it.
  return settledAlready(now.status);
}

interface StoredVersion extends Pick<OwnedFile, "key" | "access" | "filename" | "contentType"> {
  etag: string;
  isAttachment: boolean;
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

function settledAlready(status: OwnedFile["status"]): ConfirmResult {
  return { status: status === "confirmed" ? "already_confirmed" : "file_rejected" };
}

type Verdict =
  | { status: "same"; etag: string; isAttachment: boolean }
  | { status: "object_missing" | "size_mismatch" | "type_mismatch" | "content_mismatch" };

async function compareWithRecord(file: OwnedFile, store: ObjectStore): Promise<Verdict> {
  const { key, access, size, contentType } = file;
  const object = await store.head({ key, access });
  if (!object) return { status: "object_missing" };
  if (object.size !== size) return { status: "size_mismatch" };
  if (object.contentType !== contentType) return { status: "type_mismatch" };
  const { etag, isAttachment } = object;
  const start = await store.readStart({ key, access, etag, length: bytesToCheck(contentType) });
  // Replaced or removed between the two checks: the next confirmation sees the new state.
  if (!start) return { status: "object_missing" };
  const matches = await matchesContentType(start, contentType);
  return matches ? { status: "same", etag, isAttachment } : { status: "content_mismatch" };
}

/**
 * Stores a file that came through the server (a form without JavaScript) in the same steps as a direct
 * upload: pending row, object, confirmation.
 */
export async function storeUpload(
  { userId, store, upload, body }: Owner & { upload: UploadRequest; body: Readable },
  db: DatabaseOrTransaction = getDb(),
): Promise<ConfirmResult | QuotaRefusal> {
  const { filename, contentType, contentLength, access } = upload;
  const key = createObjectKey({ ...upload, userId });
  const reserved = await reserveFile(
    { userId, key, filename, contentType, size: contentLength, access },
    db,
  );
  if (reserved.status !== "reserved") return reserved;
  const { file } = reserved;
  try {
    await store.put({ key, access, contentType, contentLength, body });
  } catch (error) {
    await markDeleted({ fileId: file.id, userId }, db);
    throw error;
  }
  return confirmUpload({ userId, store, fileId: file.id }, db);
}

/** Deletes the owner's file: the row at once, the object if the store allows it now. */
export async function deleteFile(
  { userId, store, fileId }: Owner & { fileId: string },
  db: DatabaseOrTransaction = getDb(),
): Promise<{ status: "deleted" | "file_not_found" }> {
  const object = await markDeleted({ fileId, userId }, db);
  if (!object) return { status: "file_not_found" };
  await deleteObject(store, object);
  return { status: "deleted" };
}

/** Tries to remove a file's object and its thumbnails. Logs and returns false if the store fails. */
export async function deleteObject(
  store: ObjectStore,
  { key, access, thumbnailWidths }: StoredObjects,
): Promise<boolean> {
  try {
    await store.delete({ key, access });
    return await deleteThumbnails({ key, access, thumbnailWidths }, store);
  } catch (error) {
    log().warn({ err: error, key }, "object not deleted; the sweep will try again");
    return false;
  }
}

/** A file's URL: permanent for a public file, expiring for a private one. */
export async function fileUrl(
  file: OwnedFile,
  store: ObjectStore,
): Promise<{ url: string; urlExpiresAt: Date | null }> {
  if (file.access === "public") return { url: store.publicUrl(file.key), urlExpiresAt: null };
  return signedFileUrl(file, store);
}

/** An expiring URL that downloads the file under its name. */
export async function signedFileUrl(
  file: OwnedFile,
  store: ObjectStore,
): Promise<{ url: string; urlExpiresAt: Date }> {
  const expiresIn = getEnv().ttl.downloadUrl;
  const urlExpiresAt = new Date(Date.now() + expiresIn * 1000);
  return { url: await store.presignGet({ ...file, expiresIn }), urlExpiresAt };
}
