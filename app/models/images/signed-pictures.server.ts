import { type DatabaseOrTransaction, getDb } from "~/db.server";
import type { StoredPicture } from "~/models/images/image-urls.server";
import { getObjectStore } from "~/services/storage/s3-store.server";

/**
 * Returns the addresses of these runs' pictures, each signed for so many seconds, public ones too. Pictures inside the
 * database, at a provider, or whose file was deleted have none. One statement, which reads no picture.
 */
export async function signPictures(
  { runIds, seconds }: { runIds: string[]; seconds: number },
  db: DatabaseOrTransaction = getDb(),
): Promise<[runId: string, urls: string[]][]> {
  const store = getObjectStore();
  if (!store || seconds < 1) return [];
  const rows = await db.$queryRaw<(StoredPicture & { runId: string })[]>`
    SELECT made.id AS "runId", key, access, content_type AS "contentType", filename
    FROM image_generations made
      CROSS JOIN jsonb_array_elements(made.images) WITH ORDINALITY AS kept (image, at)
      JOIN files ON files.id = (image ->> 'fileId')::uuid AND files.deleted_at IS NULL
    WHERE made.id = ANY (${runIds}::uuid[]) ORDER BY made.id, at`;
  const signed = await Promise.all(
    rows.map(async ({ runId, ...picture }) => ({
      runId,
      url: await store.presignGet({ ...picture, expiresIn: seconds }),
    })),
  );
  return runIds.map((runId) => [
    runId,
    signed.filter((picture) => picture.runId === runId).map(({ url }) => url),
  ]);
}
