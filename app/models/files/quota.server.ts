import { type DatabaseOrTransaction, getDb, queryPrepared } from "~/db.server";
import { getEnv } from "~/env.server";
import { Prisma } from "~/generated/prisma/client";
import type { NewFile, OwnedFile } from "~/models/files/files.server";

/** Unconfirmed uploads that one user may have at a time. */
const MAX_PENDING_FILES = 20;

/** Why a file was not recorded. Sizes in bytes. */
export type QuotaRefusal =
  | { status: "quota_exceeded"; quota: number; used: number; required: number }
  | { status: "too_many_pending"; limit: number; pending: number };

type Upload = Pick<NewFile, "userId" | "key" | "filename" | "contentType" | "size" | "access">;

/**
 * Records an upload if it fits into the owner's remaining `STORAGE_QUOTA_MB`. Pending files count with
 * their declared size. Generated images and thumbnails count. Deleted and rejected files do not. Takes
 * one round trip.
 *
 * Read committed: A locks the user's row, sees 195 MB used and records 5 MB. B waits for the lock, sees
 * 200 MB and is refused. The lock does not block inserting rows that refer to the user. It and the count
 * are in a function of the database (migration 0013), where each statement sees what was committed
 * before it began.
 */
export async function reserveFile(
  { userId, key, filename, contentType, size, access }: Upload,
  db: DatabaseOrTransaction = getDb(),
): Promise<{ status: "reserved"; file: OwnedFile } | QuotaRefusal> {
  const quota = getEnv().storageQuotaBytes;
  const statement = Prisma.sql`
    WITH usage AS (
      SELECT used, pending FROM lock_storage_usage(${userId}::uuid)
    ),
    reserved AS (
      INSERT INTO files (user_id, key, filename, content_type, size, access)
      SELECT ${userId}::uuid, ${key}, ${filename}, ${contentType}, ${size}::int,
        ${access}::file_access
      FROM usage
      WHERE pending < ${MAX_PENDING_FILES}::int AND used + ${size}::int <= ${quota}::float8
      RETURNING id, created_at
    )
    SELECT used::float8 AS used, pending, id, created_at AS "createdAt"
    FROM usage LEFT JOIN reserved ON true`;
  const [row] = await queryPrepared<ReservedRow>("reserve_file", statement, db);
  if (!row) throw new Error("files: the usage gave no row");
  const { used, pending, id, createdAt } = row;
  if (id !== null) {
    const stored = { id, key, filename, contentType, size, access, createdAt };
    const atDefault = {
      status: "pending" as const,
      width: null,
      height: null,
      thumbnailWidths: [],
    };
    return { status: "reserved", file: { ...stored, ...atDefault } };
  }
  if (pending >= MAX_PENDING_FILES)
    return { status: "too_many_pending", limit: MAX_PENDING_FILES, pending };
  return { status: "quota_exceeded", quota, used, required: size };
}

type ReservedRow = { used: number; pending: number } & (
  | { id: string; createdAt: Date }
  | { id: null; createdAt: null }
);
