import { type DatabaseOrTransaction, getDb } from "~/db.server";
import { Prisma } from "~/generated/prisma/client";
import type { FileAccess } from "~/generated/prisma/enums";
import { deleteObject } from "~/models/files/stored-objects.server";
import { noteCopy } from "~/models/files/stray-objects.server";
import { THUMBNAILS_DUE } from "~/models/files/thumbnails-due.server";
import type { ContentType } from "~/services/storage/content-types";
import { createObjectKey } from "~/services/storage/object-key.server";
import type { ObjectStore } from "~/services/storage/object-store.server";
import { log } from "~/utils/logger.server";

/** The folder in the keys of generated images. */
export const GENERATED_FOLDER = "generated";

/**
 * SQL condition: the server wrote the file's object itself, so no upload URL can write to its key, and the
 * object may move to another.
 */
const MOVABLE = Prisma.sql`etag IS NULL AND status = 'confirmed' AND deleted_at IS NULL`;

/** SQL: a file that waits for its move. */
export const IS_TO_MOVE = Prisma.sql`wanted_access IS NOT NULL AND ${MOVABLE}`;

/**
 * Asks for another access of the person's generated images, of one or of all. Nothing has moved yet:
 * `moveFiles` does that. Returns how many images are concerned.
 */
export function wantAccess(
  { userId, fileId, access }: { userId: string; fileId: string | null; access: FileAccess },
  db: DatabaseOrTransaction = getDb(),
): Promise<number> {
  const which = fileId === null ? Prisma.sql`true` : Prisma.sql`id = ${fileId}::uuid`;
  return db.$executeRaw`
    UPDATE files SET wanted_access = CASE WHEN access <> ${access}::file_access THEN ${access}::file_access END
    WHERE user_id = ${userId}::uuid AND ${MOVABLE} AND ${which}`;
}

interface MovingFile {
  id: string;
  userId: string;
  key: string;
  access: FileAccess;
  contentType: ContentType;
  thumbnailWidths: number[];
  wantedAccess: FileAccess;
}

interface Moves {
  store: ObjectStore;
  limit: number;
  /** Only this person's files; null for everybody's. */
  userId?: string | null;
  /** Only this file. */
  fileId?: string | null;
}

/**
 * Moves up to `limit` files whose access is to change: public objects and private ones lie under different
 * keys. A failure is logged; the next run tries again. Safe to run in parallel with itself. Returns
 * how many moved.
 */
export async function moveFiles(
  { store, limit, userId = null, fileId = null }: Moves,
  db: DatabaseOrTransaction = getDb(),
): Promise<number> {
  const files = await db.$queryRaw<MovingFile[]>`
    SELECT id, user_id AS "userId", key, access, content_type AS "contentType",
      thumbnail_widths AS "thumbnailWidths", wanted_access AS "wantedAccess"
    FROM files
    WHERE ${IS_TO_MOVE}
      AND (${userId}::uuid IS NULL OR user_id = ${userId}::uuid)
      AND (${fileId}::uuid IS NULL OR id = ${fileId}::uuid)
    ORDER BY created_at DESC LIMIT ${limit}`;
  let moved = 0;
  for (const file of files) {
    try {
      if (await moveFile(file, store, db)) moved += 1;
    } catch (error) {
      log().error(
        { err: error, fileId: file.id },
        "a file was not moved; the sweep will try again",
      );
    }
  }
  return moved;
}

/**
 * Moves one file: a copy under a new key, then the row, then the old object goes. The process may die after
 * each step. Before the row has changed, the file is as it was, and the copy is a stray. Afterwards the old
 * object is one. Of two processes that move a file, one changes the row; the other's copy goes.
 */
async function moveFile(
  file: MovingFile,
  store: ObjectStore,
  db: DatabaseOrTransaction,
): Promise<boolean> {
  const { userId, contentType, wantedAccess: access } = file;
  const key = createObjectKey({ access, userId, folder: GENERATED_FOLDER, contentType });
  const copy = { key, access, contentType };
  await noteCopy(copy, db);
  await store.copy({ from: file, to: copy });
  const hasMoved = await takeOver(
    file,
    { key, url: access === "public" ? store.publicUrl(key) : null },
    db,
  );
  await deleteObject(store, hasMoved ? file : { ...copy, thumbnailWidths: [] });
  return hasMoved;
}

/**
 * Makes the copy the file's object, unless the file was deleted, moved or wanted otherwise meanwhile, or the
 * copy was condemned. Thumbnails are made anew; the higher attempt voids one that is being made of the old
 * object. The run's list of images gets the new address; null for a private one.
 */
async function takeOver(
  file: MovingFile,
  { key, url }: { key: string; url: string | null },
  db: DatabaseOrTransaction,
): Promise<boolean> {
  const rows = await db.$queryRaw<{ key: string }[]>`
    WITH copy AS (
      SELECT key FROM stray_objects WHERE key = ${key} AND condemned_at IS NULL FOR UPDATE
    ), moved AS (
      UPDATE files SET key = copy.key, access = wanted_access, wanted_access = NULL,
        thumbnail_widths = '{}', thumbnail_bytes = 0, thumbnails_due_at = ${THUMBNAILS_DUE},
        thumbnail_attempts = thumbnail_attempts + 1
      FROM copy
      WHERE files.id = ${file.id}::uuid AND files.key = ${file.key}
        AND wanted_access = ${file.wantedAccess}::file_access AND deleted_at IS NULL
      RETURNING files.key, content_type, generation_id
    ), taken AS (
      DELETE FROM stray_objects USING moved WHERE stray_objects.key = moved.key
    ), left_behind AS (
      INSERT INTO stray_objects (key, access, content_type, condemned_at)
      SELECT ${file.key}, ${file.access}::file_access, content_type, now() FROM moved
    ), listed AS (
      UPDATE image_generations SET images = (
        SELECT jsonb_agg(CASE WHEN kept.image ->> 'fileId' = ${file.id}
            THEN kept.image || jsonb_build_object('url', ${url}::text) ELSE kept.image END ORDER BY at)
        FROM jsonb_array_elements(images) WITH ORDINALITY AS kept (image, at))
      FROM moved WHERE image_generations.id = moved.generation_id
    )
    SELECT key FROM moved`;
  return rows.length === 1;
}

/** How many generated images of the person are public and private now, and how many are about to change. */
export async function countGeneratedFiles(
  userId: string,
  db: DatabaseOrTransaction = getDb(),
): Promise<{ public: number; private: number; waiting: number }> {
  const [counts] = await db.$queryRaw<{ public: number; private: number; waiting: number }[]>`
    SELECT count(*) FILTER (WHERE access = 'public')::int AS public,
           count(*) FILTER (WHERE access = 'private')::int AS private,
           count(wanted_access)::int AS waiting
    FROM files WHERE user_id = ${userId}::uuid AND ${MOVABLE}`;
  if (!counts) throw new Error("files: the count gave no row");
  return counts;
}
