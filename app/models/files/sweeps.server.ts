import { type DatabaseOrTransaction, getDb } from "~/db.server";
import { getEnv } from "~/env.server";
import { Prisma } from "~/generated/prisma/client";
import { ensureDisposition } from "~/models/files/confirm.server";
import type { StoredObjects } from "~/models/files/files.server";
import { deleteObject } from "~/models/files/stored-objects.server";
import type { ObjectStore } from "~/services/storage/object-store.server";
import { log } from "~/utils/logger.server";

interface SweptFile extends StoredObjects {
  id: string;
}

interface Sweep {
  store: ObjectStore;
  limit: number;
}

/** Seconds after an upload URL expires in which a PUT that began in time may still finish. */
const PUT_GRACE = 900;

const before = (seconds: number) =>
  Prisma.sql`created_at <= now() - make_interval(secs => ${seconds}::float8)`;

/** SQL: an upload that nobody may confirm any more. */
export const isUnconfirmed = () => Prisma.sql`
  status IN ('pending', 'rejected') AND deleted_at IS NULL AND ${before(getEnv().ttl.pendingFile)}`;

/** SQL: a deleted file whose object can go for good. */
export const isRemovable = () => Prisma.sql`
  deleted_at IS NOT NULL AND ${before(getEnv().ttl.uploadUrl + PUT_GRACE)}`;

/** SQL: a confirmed file that is to be compared with its object once more. */
export const isUnchecked = () => Prisma.sql`
  status = 'confirmed' AND etag IS NOT NULL AND rechecked_at IS NULL AND deleted_at IS NULL
  AND ${before(getEnv().ttl.uploadUrl + PUT_GRACE)}`;

/**
 * Removes up to `limit` uploads that were not confirmed within `PENDING_FILE_TTL`, or were rejected.
 * First they are marked so that nobody can confirm them, then the object is removed, and
 * `removeDeletedFiles` removes the row.
 */
export async function sweepUnconfirmed(
  { store, limit }: Sweep,
  db: DatabaseOrTransaction = getDb(),
): Promise<number> {
  const stale = await db.$queryRaw<SweptFile[]>`
    UPDATE files SET deleted_at = now()
    WHERE deleted_at IS NULL AND status IN ('pending', 'rejected') AND id IN (
      SELECT id FROM files WHERE ${isUnconfirmed()}
      ORDER BY created_at LIMIT ${limit}
    )
    RETURNING id, key, access, content_type AS "contentType", thumbnail_widths AS "thumbnailWidths"`;
  for (const file of stale) await deleteObject(store, file);
  return stale.length;
}

/**
 * Removes up to `limit` deleted files whose upload URL has expired. Removes the object once more,
 * because the store may have failed the first time or a late PUT may have arrived, and then the row.
 */
export async function removeDeletedFiles(
  { store, limit }: Sweep,
  db: DatabaseOrTransaction = getDb(),
): Promise<number> {
  const deleted = await db.$queryRaw<SweptFile[]>`
    SELECT id, key, access, content_type AS "contentType", thumbnail_widths AS "thumbnailWidths" FROM files
    WHERE ${isRemovable()}
    ORDER BY deleted_at LIMIT ${limit}`;
  const removed: string[] = [];
  for (const file of deleted) {
    if (await deleteObject(store, file)) removed.push(file.id);
  }
  if (removed.length === 0) return 0;
  const where = { id: { in: removed }, deletedAt: { not: null } };
  return (await db.file.deleteMany({ where })).count;
}

interface ConfirmedFile extends SweptFile {
  filename: string;
  etag: string;
}

/**
 * Checks the ETag of up to `limit` confirmed files again, once each, after their upload URL has
 * expired; until then the URL accepts further PUTs. A replaced file is rejected and its object removed.
 * Returns the number rejected. Throws at the end if the store failed for any file. Even so, every file
 * is tried: the oldest come first, and a faulty one would otherwise block the rest for good.
 */
export async function rejectReplacedFiles(
  { store, limit }: Sweep,
  db: DatabaseOrTransaction = getDb(),
): Promise<number> {
  const unchecked = await db.$queryRaw<ConfirmedFile[]>`
    SELECT id, key, access, content_type AS "contentType", thumbnail_widths AS "thumbnailWidths",
           filename, etag FROM files
    WHERE ${isUnchecked()}
    ORDER BY created_at LIMIT ${limit}`;
  let rejected = 0;
  const failed: string[] = [];
  for (const file of unchecked) {
    try {
      if (await recheckFile(file, store, db)) rejected += 1;
    } catch (error) {
      log().error({ err: error, fileId: file.id }, "a file could not be compared with its object");
      failed.push(file.id);
    }
  }
  if (failed.length > 0) throw new Error(`not compared: file ${failed.join(", ")}`);
  return rejected;
}

/** Returns whether the file's object was replaced; such a file is rejected. */
async function recheckFile(
  file: ConfirmedFile,
  store: ObjectStore,
  db: DatabaseOrTransaction,
): Promise<boolean> {
  const object = await store.head(file);
  if (!object) log().error({ fileId: file.id }, "a confirmed file's object is gone");
  const replaced = object !== null && object.etag !== file.etag;
  // A second PUT of the same bytes has the same ETag but loses the attachment header.
  const etag =
    object && !replaced
      ? await ensureDisposition({ ...file, isAttachment: object.isAttachment }, store)
      : file.etag;
  if (!etag) throw new Error("the object was replaced while it was compared");
  await db.$executeRaw`
    UPDATE files SET rechecked_at = now(), etag = ${etag},
      status = CASE WHEN ${replaced} THEN 'rejected' ELSE status END::file_status
    WHERE id = ${file.id}::uuid`;
  if (!replaced) return false;
  log().warn({ fileId: file.id }, "a file was replaced after its confirmation, and is rejected");
  await deleteObject(store, file);
  return true;
}
