import { type Database, type DatabaseOrTransaction, getDb } from "~/db.server";
import { Prisma } from "~/generated/prisma/client";
import type { OwnedFile } from "~/models/files/files.server";
import { addJobs } from "~/models/jobs/add-job.server";
import { PICTURE_TYPES } from "~/services/storage/content-types";

/** SQL: the value of `thumbnails_due_at` for a file that becomes confirmed. */
export const THUMBNAILS_DUE = Prisma.sql`
  CASE WHEN content_type = ANY (${[...PICTURE_TYPES]}::text[]) THEN now() END`;

/** SQL: a picture whose thumbnails may be made now. */
export const IS_PICTURE_DUE = Prisma.sql`
  thumbnails_due_at <= now() AND status = 'confirmed' AND deleted_at IS NULL`;

/** After this many attempts the original is shown for good. A picture may crash the process that opens it. */
const MAX_ATTEMPTS = 4;
/** Of one person. Maintenance makes the rest. */
const MOST_AT_ONCE = 100;

/** Has the thumbnails made of those of the person's pictures that wait for them. */
export async function addThumbnailJobs(
  { userId }: { userId: string },
  db: Database = getDb(),
): Promise<void> {
  await db.$transaction(async (transaction) => {
    const due = await transaction.$queryRaw<{ fileId: string }[]>`
      SELECT id AS "fileId" FROM files
      WHERE user_id = ${userId}::uuid AND thumbnails_due_at <= now() AND status = 'confirmed'
        AND deleted_at IS NULL
      ORDER BY thumbnails_due_at LIMIT ${MOST_AT_ONCE}`;
    await addJobs(
      "thumbnails",
      due.map((data) => ({ data })),
      transaction,
    );
  });
}

/** A picture whose thumbnails may be made now. */
export interface DuePicture
  extends Pick<OwnedFile, "id" | "key" | "access" | "contentType" | "size"> {
  userId: string;
  /** The version that was checked; null for a picture that the server stored itself. */
  etag: string | null;
  /** The fencing token: a later attempt has a higher number. */
  attempt: number;
}

/**
 * SQL: a claim sets the time of the next attempt: 2 minutes later, then 10, then 50, then never. An attempt
 * that failed, or whose process died, needs no further write.
 */
const CLAIM = Prisma.sql`
  UPDATE files SET thumbnail_attempts = thumbnail_attempts + 1,
    thumbnails_due_at = CASE WHEN thumbnail_attempts + 1 < ${MAX_ATTEMPTS}
      THEN now() + interval '2 minutes' * power(5, thumbnail_attempts) END`;

const CLAIMED = Prisma.sql`
  id, user_id AS "userId", key, access, content_type AS "contentType", size, etag,
  thumbnail_attempts AS attempt`;

/**
 * Claims a picture that waits for its thumbnails. Null if it doesn't, or if it isn't due and this is no retry of the
 * job that claimed it.
 */
export async function claimPicture(
  { fileId, isRetry }: { fileId: string; isRetry: boolean },
  db: DatabaseOrTransaction = getDb(),
): Promise<DuePicture | null> {
  const [picture] = await db.$queryRaw<DuePicture[]>`
    ${CLAIM}
    WHERE id = ${fileId}::uuid AND (thumbnails_due_at <= now() OR (${isRetry} AND thumbnails_due_at IS NOT NULL))
      AND status = 'confirmed' AND deleted_at IS NULL
    RETURNING ${CLAIMED}`;
  return picture ?? null;
}

/**
 * Claims up to `limit` due pictures, one of each owner, so that nobody's pictures wait for all of another
 * one's.
 */
export function claimDuePictures(
  { limit }: { limit: number },
  db: DatabaseOrTransaction = getDb(),
): Promise<DuePicture[]> {
  return db.$queryRaw`
    ${CLAIM}
    WHERE thumbnails_due_at <= now() AND id IN (
      SELECT id FROM (
        SELECT DISTINCT ON (user_id) id, thumbnails_due_at FROM files WHERE ${IS_PICTURE_DUE}
        ORDER BY user_id, thumbnails_due_at
      ) AS oldest
      ORDER BY thumbnails_due_at LIMIT ${limit})
    RETURNING ${CLAIMED}`;
}

/** The columns that a finished attempt fills. */
type MadeThumbnails = Pick<OwnedFile, "thumbnailWidths"> & {
  width: number;
  height: number;
  /** Bytes of all thumbnails. */
  thumbnailBytes: number;
};

/**
 * Records the thumbnails of a claimed picture, and so shows them. Returns false if the picture is gone or a
 * later attempt has begun.
 */
export async function markThumbnailsMade(
  { id, attempt }: DuePicture,
  made: MadeThumbnails,
  db: DatabaseOrTransaction = getDb(),
): Promise<boolean> {
  const { count } = await db.file.updateMany({
    where: { id, thumbnailAttempts: attempt, status: "confirmed", deletedAt: null },
    data: { ...made, thumbnailsDueAt: null },
  });
  return count === 1;
}
