import { type DatabaseOrTransaction, getDb } from "~/db.server";
import type { Prisma } from "~/generated/prisma/client";
import { OWNED_FILE, type OwnedFile, toOwnedFile } from "~/models/files/files.server";

/** What the page of files can be narrowed to. */
export const FILE_KINDS = ["all", "images", "documents", "public"] as const;

export type FileKind = (typeof FILE_KINDS)[number];

const KINDS: Record<FileKind, Prisma.FileWhereInput> = {
  all: {},
  images: { contentType: { startsWith: "image/" } },
  documents: { contentType: "application/pdf" },
  public: { access: "public" },
};

/** One page of the owner's pending and confirmed files of a kind, newest first. */
export async function listFilePage(
  {
    userId,
    kind,
    offset,
    limit,
  }: { userId: string; kind: FileKind; offset: number; limit: number },
  db: DatabaseOrTransaction = getDb(),
): Promise<OwnedFile[]> {
  const rows = await db.file.findMany({
    where: {
      userId,
      deletedAt: null,
      status: { in: ["pending", "confirmed"] },
      ...KINDS[kind],
    },
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
    skip: offset,
    take: limit,
    select: OWNED_FILE,
  });
  return rows.map(toOwnedFile);
}

/** How many files of each kind the owner has, and the bytes of all, thumbnails included. */
export async function countFiles(
  userId: string,
  db: DatabaseOrTransaction = getDb(),
): Promise<Record<FileKind, number> & { bytes: number }> {
  const [counts] = await db.$queryRaw<(Record<FileKind, number> & { bytes: number })[]>`
    SELECT count(*)::int AS "all",
           count(*) FILTER (WHERE content_type LIKE 'image/%')::int AS images,
           count(*) FILTER (WHERE content_type = 'application/pdf')::int AS documents,
           count(*) FILTER (WHERE access = 'public')::int AS public,
           coalesce(sum(size + thumbnail_bytes), 0)::float8 AS bytes
    FROM files
    WHERE user_id = ${userId}::uuid AND deleted_at IS NULL AND status IN ('pending', 'confirmed')`;
  if (!counts) throw new Error("files: the count gave no row");
  return counts;
}
