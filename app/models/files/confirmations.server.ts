import { type DatabaseOrTransaction, getDb } from "~/db.server";
import { Prisma } from "~/generated/prisma/client";
import type { OwnedFile } from "~/models/files/files.server";
import { THUMBNAILS_DUE } from "~/models/files/thumbnails-due.server";
import { addJob } from "~/models/jobs/add-job.server";
import { PICTURE_TYPES } from "~/services/storage/content-types";
import { LANES } from "~/utils/lanes.server";
import { isUuid } from "~/utils/uuid";

/**
 * Longer than a confirmation may take, so that the lease of a living request never ends under it. The
 * file of a killed process can be confirmed again after this time.
 */
const LEASE_SECONDS =
  LANES.drawings.waitSeconds + LANES.checks.waitSeconds + LANES.checks.workSeconds + 10;

/** The right of one request to confirm a pending file. */
export interface ConfirmClaim {
  file: OwnedFile;
  /** The fencing token: once the lease is over, another request may hold a newer one. */
  leaseToken: string;
}

/**
 * Claims the owner's pending file. Null if there is no such file, it is settled, or another request holds
 * it: of any number of requests at once, one gets the claim and does the work.
 */
export async function claimForConfirmation(
  { fileId, userId }: { fileId: string; userId: string },
  db: DatabaseOrTransaction = getDb(),
): Promise<ConfirmClaim | null> {
  if (!isUuid(fileId)) return null;
  const [row] = await db.$queryRaw<(OwnedFile & { leaseToken: string })[]>`
    UPDATE files SET lease_token = gen_random_uuid(),
      lease_until = now() + make_interval(secs => ${LEASE_SECONDS})
    WHERE id = ${fileId}::uuid AND user_id = ${userId}::uuid AND status = 'pending'
      AND deleted_at IS NULL AND (lease_until > now()) IS NOT TRUE
    RETURNING id, key, filename, content_type AS "contentType", size, access, status,
      created_at AS "createdAt", width, height, thumbnail_widths AS "thumbnailWidths",
      lease_token AS "leaseToken"`;
  if (!row) return null;
  const { leaseToken, ...file } = row;
  return { file, leaseToken };
}

/**
 * Marks the claimed file as confirmed, stores its object's ETag, and has its thumbnails made. Returns
 * false if the claim is void or the file was deleted.
 */
export async function markConfirmed(
  { file, leaseToken }: ConfirmClaim,
  etag: string,
  db: DatabaseOrTransaction = getDb(),
): Promise<boolean> {
  const mark = Prisma.sql`
    UPDATE files SET status = 'confirmed', etag = ${etag}, confirmed_at = now(),
      thumbnails_due_at = ${THUMBNAILS_DUE}, lease_token = NULL, lease_until = NULL
    WHERE id = ${file.id}::uuid AND lease_token = ${leaseToken}::uuid AND status = 'pending'
      AND deleted_at IS NULL`;
  const { id: fileId, contentType } = file;
  if (!PICTURE_TYPES.has(contentType)) return (await db.$executeRaw(mark)) === 1;
  return db.$transaction(async (transaction) => {
    if ((await transaction.$executeRaw(mark)) === 0) return false;
    await addJob("thumbnails", { fileId }, transaction);
    return true;
  });
}

/** Marks the claimed file as rejected, for good. Returns false as `markConfirmed` does. */
export async function markRejected(
  { file, leaseToken }: ConfirmClaim,
  db: DatabaseOrTransaction = getDb(),
): Promise<boolean> {
  const { count } = await db.file.updateMany({
    where: { id: file.id, leaseToken, status: "pending", deletedAt: null },
    data: { status: "rejected", leaseToken: null, leaseUntil: null },
  });
  return count === 1;
}

/** Gives the claim back, so that the file can be confirmed again at once. */
export async function releaseClaim(
  { file, leaseToken }: ConfirmClaim,
  db: DatabaseOrTransaction = getDb(),
): Promise<void> {
  await db.file.updateMany({
    where: { id: file.id, leaseToken },
    data: { leaseToken: null, leaseUntil: null },
  });
}

/**
 * SQL: turns saved generated images into files, where the step `settled` has a row. The server wrote their
 * objects itself, so they need no check.
 */
export const fileGenerated = (fileIds: string[]): Prisma.Sql => Prisma.sql`
  UPDATE files SET status = 'confirmed', confirmed_at = now(), thumbnails_due_at = ${THUMBNAILS_DUE},
    generation_id = settled.id
  FROM settled WHERE files.id = ANY (${fileIds}::uuid[]) AND files.status = 'pending'`;
