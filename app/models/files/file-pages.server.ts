import { type DatabaseOrTransaction, getDb, queryPrepared } from "~/db.server";
import { Prisma } from "~/generated/prisma/client";
import type { FileAccess } from "~/generated/prisma/enums";
import type { OwnedFile } from "~/models/files/files.server";

/** The kinds that the page of files can be narrowed to. */
export const FILE_KINDS = ["all", "images", "documents", "public"] as const;

export type FileKind = (typeof FILE_KINDS)[number];

/** SQL conditions on a row of `files`. */
const KINDS: Record<FileKind, Prisma.Sql> = {
  all: Prisma.sql`true`,
  images: Prisma.sql`content_type LIKE 'image/%'`,
  documents: Prisma.sql`content_type = 'application/pdf'`,
  public: Prisma.sql`access = 'public'`,
};

/** A file of the page of files. */
export interface PagedFile extends OwnedFile {
  /** The prompt of a generated image; null for an upload. */
  prompt: string | null;
  /** Whether its owner may change who can see it. */
  isMovable: boolean;
  /** The access that its owner asked for, until it is moved; null if it stays. */
  wantedAccess: FileAccess | null;
}

/** SQL condition: the user's file is pending or confirmed. */
const listed = (userId: string) => Prisma.sql`
  user_id = ${userId}::uuid AND deleted_at IS NULL AND status IN ('pending', 'confirmed')`;

/** One page of the owner's pending and confirmed files of a kind, newest first. */
export function listFilePage(
  {
    userId,
    kind,
    offset,
    limit,
  }: { userId: string; kind: FileKind; offset: number; limit: number },
  db: DatabaseOrTransaction = getDb(),
): Promise<PagedFile[]> {
  const statement = Prisma.sql`
    SELECT id, key, filename, content_type AS "contentType", size, access, status,
           created_at AS "createdAt", width, height, thumbnail_widths AS "thumbnailWidths",
           (etag IS NULL AND status = 'confirmed') AS "isMovable", wanted_access AS "wantedAccess",
           (SELECT prompt FROM image_generations WHERE image_generations.id = generation_id) AS prompt
    FROM files WHERE ${listed(userId)} AND ${KINDS[kind]}
    ORDER BY created_at DESC, id DESC LIMIT ${limit} OFFSET ${offset}`;
  return queryPrepared<PagedFile>(`list_file_page_${kind}`, statement, db);
}

/** Bytes are those of all kinds together. */
type FileCounts = Record<FileKind, number> & { bytes: number };

/** How many files of each kind the owner has, and the bytes of all, thumbnails included. */
export async function countFiles(
  userId: string,
  db: DatabaseOrTransaction = getDb(),
): Promise<FileCounts> {
  const statement = Prisma.sql`
    SELECT count(*) FILTER (WHERE ${KINDS.all})::int AS "all",
           count(*) FILTER (WHERE ${KINDS.images})::int AS images,
           count(*) FILTER (WHERE ${KINDS.documents})::int AS documents,
           count(*) FILTER (WHERE ${KINDS.public})::int AS public,
           coalesce(sum(size + thumbnail_bytes), 0)::float8 AS bytes
    FROM files WHERE ${listed(userId)}`;
  const [counts] = await queryPrepared<FileCounts>("count_files", statement, db);
  if (!counts) throw new Error("files: the count gave no row");
  return counts;
}
