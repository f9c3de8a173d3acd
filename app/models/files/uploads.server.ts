import type { Readable } from "node:stream";
import { type DatabaseOrTransaction, getDb } from "~/db.server";
import { getEnv } from "~/env.server";
import { type ConfirmResult, confirmUpload } from "~/models/files/confirm.server";
import { markDeleted, type OwnedFile } from "~/models/files/files.server";
import { type QuotaRefusal, reserveFile } from "~/models/files/quota.server";
import { deleteObject } from "~/models/files/stored-objects.server";
import { createObjectKey } from "~/services/storage/object-key.server";
import type { ObjectStore } from "~/services/storage/object-store.server";
import type { UploadRequest } from "~/services/storage/upload-request";

interface Owner {
  userId: string;
  store: ObjectStore;
}

type RequestResult =
  | { status: "allowed"; file: OwnedFile; uploadUrl: string; expiresAt: Date }
  | QuotaRefusal;

/** Allows one upload: creates a pending row and a URL that takes exactly the declared bytes. */
export async function requestUpload(
  { userId, store, upload }: Owner & { upload: UploadRequest },
  db: DatabaseOrTransaction = getDb(),
): Promise<RequestResult> {
  const { filename, contentType, contentLength, access } = upload;
  const expiresIn = getEnv().ttl.uploadUrl;
  const key = createObjectKey({ ...upload, userId });
  const expiresAt = new Date(Date.now() + expiresIn * 1000);
  const uploadUrl = await store.presignPut({ key, access, contentType, contentLength, expiresIn });
  const file = { userId, key, filename, contentType, size: contentLength, access };
  const reserved = await reserveFile(file, db);
  if (reserved.status !== "reserved") return reserved;
  return { status: "allowed", file: reserved.file, uploadUrl, expiresAt };
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
