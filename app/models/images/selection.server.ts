import { type DatabaseOrTransaction, getDb } from "~/db.server";
import type { OwnedFile } from "~/models/files/files.server";
import { isUuid } from "~/utils/uuid";

/** Generations that may be selected at a time. */
const MOST = 24;

/** A stored image of a selected generation. */
export interface SelectedImage extends OwnedFile {
  prompt: string;
}

/** The stored images of these generations that the person has not deleted, newest first. */
export async function listSelectedImages(
  { userId, generationIds }: { userId: string; generationIds: string[] },
  db: DatabaseOrTransaction = getDb(),
): Promise<SelectedImage[]> {
  const ids = generationIds.filter(isUuid).slice(0, MOST);
  if (ids.length === 0) return [];
  return db.$queryRaw`
    SELECT file.id, file.key, file.filename, file.content_type AS "contentType", file.size, file.access,
      file.status, file.created_at AS "createdAt", file.width, file.height,
      file.thumbnail_widths AS "thumbnailWidths", image.prompt
    FROM image_generations AS image
      JOIN metered_runs AS run ON run.id = image.id
      CROSS JOIN jsonb_array_elements(image.images) WITH ORDINALITY AS kept (image, at)
      JOIN files AS file ON file.id = (kept.image ->> 'fileId')::uuid
    WHERE image.id = ANY (${ids}::uuid[]) AND run.account_id = ${userId}::uuid
      AND file.status = 'confirmed' AND file.deleted_at IS NULL
    ORDER BY run.created_at DESC, run.id DESC, at`;
}
