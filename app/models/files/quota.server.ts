import { type DatabaseOrTransaction, getDb, queryPrepared } from "~/db.server";
import { getEnv } from "~/env.server";
import { Prisma } from "~/generated/prisma/client";
import type { NewFile, OwnedFile } from "~/models/files/files.server";

/** Unconfirmed uploads that one user may have at a time: more than the rate limit allows in a minute. */
const MAX_PENDING_FILES = 100;

/** Why a file was not recorded. Sizes in bytes. */
export type QuotaRefusal =
  | { status: "quota_exceeded"; quota: number; used: number; required: number }
  | { status: "too_many_pending"; limit: number; pending: number };

type Upload = Pick<NewFile, "userId" | "key" | "filename" | "contentType" | "size" | "access">;

type Reservation = { status: "reserved"; file: OwnedFile } | QuotaRefusal;

/**
 * Records an upload if it fits into the owner's remaining `STORAGE_QUOTA_MB`. Pending files count with
 * their declared size. Generated images and thumbnails count. Deleted and rejected files do not.
 */
export async function reserveFile(
  upload: Upload,
  db: DatabaseOrTransaction = getDb(),
): Promise<Reservation> {
  const { used, pending, id, createdAt } = await reserve(upload, db);
  if (id !== null && createdAt !== null) {
    const { userId: _, ...stored } = upload;
    const atDefault = {
      status: "pending" as const,
      width: null,
      height: null,
      thumbnailWidths: [],
    };
    return { status: "reserved", file: { ...stored, id, createdAt, ...atDefault } };
  }
  if (pending >= MAX_PENDING_FILES)
    return { status: "too_many_pending", limit: MAX_PENDING_FILES, pending };
  const quota = getEnv().storageQuotaBytes;
  return { status: "quota_exceeded", quota, used, required: upload.size };
}

/** Bytes and number of the owner's files, and the new file's row; null if it was refused. */
interface Reserved {
  used: number;
  pending: number;
  id: string | null;
  createdAt: Date | null;
}

/**
 * Takes one round trip. Read committed: A locks the user's row, sees 195 MB used and records 5 MB. B
 * waits for the lock, sees 200 MB and is refused. The lock does not block inserting rows that refer to
 * the user. It and the sum are in a function of the database (migration 0013), where each statement sees
 * what was committed before it began.
 */
async function reserve(
  { userId, key, filename, contentType, size, access }: Upload,
  db: DatabaseOrTransaction,
): Promise<Reserved> {
  const statement = Prisma.sql`
    WITH usage AS (SELECT used, pending FROM lock_storage_usage(${userId}::uuid)),
    reserved AS (
      INSERT INTO files (user_id, key, filename, content_type, size, access)
      SELECT ${userId}::uuid, ${key}, ${filename}, ${contentType}, ${size}::int,
        ${access}::file_access
      FROM usage
      WHERE pending < ${MAX_PENDING_FILES}::int
        AND used + ${size}::int <= ${getEnv().storageQuotaBytes}::float8
      RETURNING id, created_at
    )
    SELECT used::float8 AS used, pending, id, created_at AS "createdAt"
    FROM usage LEFT JOIN reserved ON true`;
  const [row] = await queryPrepared<Reserved>("reserve_file", statement, db);
  if (!row) throw new Error("files: the reservation gave no row");
  return row;
}
