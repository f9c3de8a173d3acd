import { type DatabaseOrTransaction, getDb } from "~/db.server";
import { getEnv } from "~/env.server";
import { createPendingFile, type NewFile, type OwnedFile } from "~/models/files/files.server";

/** Unconfirmed uploads that one user may have at a time. */
const MAX_PENDING_FILES = 20;

/** Why a file was not recorded. Sizes in bytes. */
export type QuotaRefusal =
  | { status: "quota_exceeded"; quota: number; used: number; required: number }
  | { status: "too_many_pending"; limit: number; pending: number };

/**
 * Records an upload if it fits into the owner's remaining `STORAGE_QUOTA_MB`. Pending files count with
 * their declared size. Generated images and thumbnails count. Deleted and rejected files do not.
 */
export function reserveFile(
  file: NewFile,
  db: DatabaseOrTransaction = getDb(),
): Promise<{ status: "reserved"; file: OwnedFile } | QuotaRefusal> {
  // Read committed: A locks the user's row, sees 195 MB used and records 5 MB. B waits for the lock,
  // sees 200 MB and is refused. The lock does not block inserting rows that refer to the user.
  return db.$transaction(async (transaction) => {
    await transaction.$queryRaw`
      SELECT id FROM users WHERE id = ${file.userId}::uuid FOR NO KEY UPDATE`;
    const { used, pending } = await storageUsage(file.userId, transaction);
    const quota = getEnv().storageQuotaBytes;
    if (pending >= MAX_PENDING_FILES)
      return { status: "too_many_pending", limit: MAX_PENDING_FILES, pending };
    if (used + file.size > quota)
      return { status: "quota_exceeded", quota, used, required: file.size };
    return { status: "reserved", file: await createPendingFile(file, transaction) };
  });
}

async function storageUsage(userId: string, db: DatabaseOrTransaction) {
  const [usage] = await db.$queryRaw<{ used: number; pending: number }[]>`
    SELECT coalesce(sum(size + thumbnail_bytes), 0)::float8 AS used,
           count(*) FILTER (WHERE status = 'pending')::int AS pending
    FROM files
    WHERE user_id = ${userId}::uuid AND deleted_at IS NULL AND status IN ('pending', 'confirmed')`;
  if (!usage) throw new Error("files: the sum gave no row");
  return usage;
}
