import { type DatabaseOrTransaction, getDb, queryPrepared } from "~/db.server";
import { Prisma } from "~/generated/prisma/client";
import type { FileAccess, FileStatus } from "~/generated/prisma/enums";
import type { PageOfRows, Placed } from "~/models/row-pages.server";
import type { ContentType } from "~/services/storage/content-types";
import { isUuid } from "~/utils/uuid";

/** A file as its owner sees it. `size` is in bytes. */
export interface OwnedFile {
  id: string;
  key: string;
  filename: string;
  contentType: ContentType;
  size: number;
  access: FileAccess;
  status: FileStatus;
  createdAt: Date;
  /** Pixels; null where they are not known. */
  width: number | null;
  height: number | null;
  /** Pixels of the stored thumbnails; none where the original itself is shown. */
  thumbnailWidths: number[];
}

const OWNED_FILE = {
  id: true,
  key: true,
  filename: true,
  contentType: true,
  size: true,
  access: true,
  status: true,
  createdAt: true,
  width: true,
  height: true,
  thumbnailWidths: true,
} satisfies Prisma.FileSelect;

const toOwnedFile = (row: Omit<OwnedFile, "contentType"> & { contentType: string }) =>
  row as OwnedFile;

export type NewFile = Pick<OwnedFile, "key" | "filename" | "contentType" | "size" | "access"> & {
  userId: string;
};

/** Records an upload that was allowed and is not confirmed yet. */
export async function createPendingFile(
  file: NewFile,
  db: DatabaseOrTransaction = getDb(),
): Promise<OwnedFile> {
  return toOwnedFile(await db.file.create({ data: file, select: OWNED_FILE }));
}

/** The owner's file with any status; null for somebody else's, deleted files and malformed ids. */
export async function getOwnedFile(
  { fileId, userId }: { fileId: string; userId: string },
  db: DatabaseOrTransaction = getDb(),
): Promise<OwnedFile | null> {
  if (!isUuid(fileId)) return null;
  const row = await db.file.findFirst({
    where: { id: fileId, userId, deletedAt: null },
    select: OWNED_FILE,
  });
  return row && toOwnedFile(row);
}

/** Where a file's bytes lie: its object and the thumbnails beside it. */
export type StoredObjects = Pick<OwnedFile, "key" | "access" | "contentType" | "thumbnailWidths">;

const FILES_PER_PAGE = 50;

/**
 * The owner's pending and confirmed files, newest first, one page at a time. `cursor` is the id of the
 * previous page's last file; an id that is not the owner's starts from the top.
 */
export async function listOwnedFiles(
  { userId, cursor }: { userId: string; cursor: string | null },
  db: DatabaseOrTransaction = getDb(),
): Promise<{ files: OwnedFile[]; nextCursor: string | null }> {
  // The cursor is only the id: the stored times are finer than a JavaScript date can carry.
  const after = cursor !== null && isUuid(cursor) ? cursor : null;
  const statement = Prisma.sql`
    WITH after AS (
      SELECT created_at, id FROM files
      WHERE id = ${after}::uuid AND user_id = ${userId}::uuid AND deleted_at IS NULL
    )
    SELECT id, key, filename, content_type AS "contentType", size, access, status,
           created_at AS "createdAt"
    FROM files
    WHERE user_id = ${userId}::uuid AND deleted_at IS NULL AND status IN ('pending', 'confirmed')
      AND (created_at, id) < (
        coalesce((SELECT created_at FROM after), 'infinity'),
        coalesce((SELECT id FROM after), 'ffffffff-ffff-ffff-ffff-ffffffffffff'))
    ORDER BY created_at DESC, id DESC LIMIT ${FILES_PER_PAGE + 1}`;
  const rows = await queryPrepared<OwnedFile>("list_owned_files", statement, db);
  const files = rows.slice(0, FILES_PER_PAGE);
  const nextCursor = rows.length > FILES_PER_PAGE ? (files.at(-1)?.id ?? null) : null;
  return { files, nextCursor };
}

/** A file as it appears in its owner's export. */
type ExportedFile = Omit<OwnedFile, "width" | "height" | "thumbnailWidths"> & {
  confirmedAt: Date | null;
};

/** One page of the owner's files added until `until`, oldest first, after the row `after`. */
export function pageFiles(
  { userId, until, after, limit }: PageOfRows,
  db: DatabaseOrTransaction = getDb(),
): Promise<Placed<ExportedFile>[]> {
  return db.$queryRaw`
    SELECT id, filename, content_type AS "contentType", size, access, status, key,
           created_at AS "createdAt", confirmed_at AS "confirmedAt", created_at::text AS place
    FROM files
    WHERE user_id = ${userId}::uuid AND deleted_at IS NULL AND created_at <= ${until}::timestamptz
      AND (created_at, id) > (${after.place}::timestamptz, ${after.id}::uuid)
    ORDER BY created_at, id LIMIT ${limit}`;
}

/**
 * Hides the owner's file from everybody and returns the location of its objects; null if there is no
 * such file. The row stays until the sweep has removed the object, so that an outage of the store
 * leaves nothing behind.
 */
export async function markDeleted(
  { fileId, userId }: { fileId: string; userId: string },
  db: DatabaseOrTransaction = getDb(),
): Promise<StoredObjects | null> {
  if (!isUuid(fileId)) return null;
  const [row] = await db.$queryRaw<StoredObjects[]>`
    UPDATE files SET deleted_at = now()
    WHERE id = ${fileId}::uuid AND user_id = ${userId}::uuid AND deleted_at IS NULL
    RETURNING key, access, content_type AS "contentType", thumbnail_widths AS "thumbnailWidths"`;
  return row ?? null;
}
