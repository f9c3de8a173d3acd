import { type DatabaseOrTransaction, getDb } from "~/db.server";
import { Prisma } from "~/generated/prisma/client";
import { deleteObject } from "~/models/files/stored-objects.server";
import type { ContentType } from "~/services/storage/content-types";
import type { ObjectRef, ObjectStore } from "~/services/storage/object-store.server";

interface StrayObject extends ObjectRef {
  contentType: ContentType;
}

/**
 * Notes a copy before it is made, so that maintenance finds what a crash left. A file takes the copy over by
 * removing the row.
 */
export async function noteCopy(
  { key, access, contentType }: StrayObject,
  db: DatabaseOrTransaction = getDb(),
): Promise<void> {
  await db.strayObject.create({ data: { key, access, contentType } });
}

/** Seconds that a copy may take, or a thumbnail of the file as it was may still come. */
const GRACE = 900;

/** SQL: an object that no file may take over any more. */
export const IS_STRAY = Prisma.sql`
  (condemned_at IS NOT NULL OR created_at <= now() - make_interval(secs => ${GRACE}::float8))`;

/**
 * Removes up to `limit` objects that belong to no file: at once what a moved file left behind, and after
 * the grace a copy that no file took over. Condemning a copy comes first, so that no file takes it over any
 * more. Each object is removed once more when the grace is over, because a late write may have arrived, and
 * then the row goes. Returns the number of rows that went.
 */
export async function removeStrays(
  { store, limit }: { store: ObjectStore; limit: number },
  db: DatabaseOrTransaction = getDb(),
): Promise<number> {
  const strays = await db.$queryRaw<(StrayObject & { isOver: boolean })[]>`
    UPDATE stray_objects SET condemned_at = coalesce(condemned_at, now())
    WHERE key IN (
      SELECT key FROM stray_objects
      WHERE ${IS_STRAY}
      ORDER BY created_at LIMIT ${limit})
    RETURNING key, access, content_type AS "contentType",
      condemned_at <= now() - make_interval(secs => ${GRACE}) AS "isOver"`;
  let removed = 0;
  for (const { isOver, ...stray } of strays) {
    const isGone = await deleteObject(store, { ...stray, thumbnailWidths: [] });
    if (!isGone || !isOver) continue;
    await db.strayObject.deleteMany({ where: { key: stray.key } });
    removed += 1;
  }
  return removed;
}
