import { type DatabaseOrTransaction, getDb } from "~/db.server";
import { deleteThumbnails } from "~/models/files/stored-objects.server";
import {
  claimDuePicture,
  claimDuePictures,
  type DuePicture,
  markThumbnailsMade,
} from "~/models/files/thumbnails-due.server";
import type { ObjectRef, ObjectStore } from "~/services/storage/object-store.server";
import { canPreview, createPreview, type Preview } from "~/services/storage/preview.server";
import { thumbnailKey } from "~/services/storage/thumbnail-key";
import { log } from "~/utils/logger.server";

/** Pictures claimed at a time, each of another owner. */
const BATCH = 10;

interface DueThumbnails {
  store: ObjectStore;
  limit: number;
  /** Asked before each batch; false ends the run. */
  goOn?: () => boolean;
}

/**
 * Makes the thumbnails of up to `limit` pictures that wait for theirs: those just confirmed, those that
 * came from a generation, and those whose earlier attempt failed. Safe to run in parallel with itself.
 * Until they are made, and if they can't be, the original is shown; so a failure is logged and stops
 * nothing. Returns how many pictures got theirs.
 */
export async function makeDueThumbnails(
  { store, limit, goOn = () => true }: DueThumbnails,
  db: DatabaseOrTransaction = getDb(),
): Promise<number> {
  if (!(await canPreview())) return 0;
  let made = 0;
  for (let left = limit; left > 0 && goOn(); ) {
    const pictures = await claimDuePictures({ limit: Math.min(BATCH, left) }, db);
    if (pictures.length === 0) break;
    left -= pictures.length;
    const results = await Promise.all(pictures.map((picture) => tryToMake(picture, store, db)));
    made += results.filter((isMade) => isMade).length;
  }
  return made;
}

/** Makes the thumbnails of one picture, if they are due. A failure is logged; maintenance tries again. */
export async function makeThumbnails(
  { fileId, store }: { fileId: string; store: ObjectStore },
  db: DatabaseOrTransaction = getDb(),
): Promise<void> {
  if (!(await canPreview())) return;
  const picture = await claimDuePicture({ fileId }, db);
  if (picture) await tryToMake(picture, store, db);
}

async function tryToMake(
  picture: DuePicture,
  store: ObjectStore,
  db: DatabaseOrTransaction,
): Promise<boolean> {
  const { id: fileId, attempt } = picture;
  try {
    const preview = await createPreview({
      ownerId: picture.userId,
      read: (signal) => readOriginal(picture, store, signal),
    });
    await putThumbnails(picture, preview, store);
    if (await markThumbnailsMade(picture, columnsOf(preview), db)) return true;
    await removeIfGone(picture, preview, { store, db });
  } catch (error) {
    log().warn({ err: error, fileId, attempt }, "thumbnails not made");
  }
  return false;
}

/** Reads the whole original: only its slot for decoding lets it, so that few are in memory. */
async function readOriginal(
  { key, access, etag, size: length }: DuePicture,
  store: ObjectStore,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const bytes = await store.readStart({ key, access, etag, length, signal });
  if (!bytes) throw new Error("the original is gone or was replaced");
  return bytes;
}

const columnsOf = ({ width, height, thumbnails }: Preview) => ({
  width,
  height,
  thumbnailWidths: thumbnails.map((thumbnail) => thumbnail.width),
  thumbnailBytes: thumbnails.reduce((sum, { bytes }) => sum + bytes.length, 0),
});

async function putThumbnails(
  { key, access }: ObjectRef,
  { thumbnails }: Preview,
  store: ObjectStore,
): Promise<void> {
  await Promise.all(
    thumbnails.map(({ width, bytes }) =>
      store.put({
        key: thumbnailKey(key, width),
        access,
        contentType: "image/webp",
        contentLength: bytes.length,
        body: bytes,
      }),
    ),
  );
}

/** A picture may be deleted or moved while its thumbnails are made: nothing else would remove these. */
async function removeIfGone(
  { id, key, access, contentType }: DuePicture,
  preview: Preview,
  { store, db }: { store: ObjectStore; db: DatabaseOrTransaction },
): Promise<void> {
  const where = { id, key, status: "confirmed", deletedAt: null } as const;
  if (await db.file.findFirst({ where, select: { id: true } })) return;
  const { thumbnailWidths } = columnsOf(preview);
  await deleteThumbnails({ key, access, contentType, thumbnailWidths }, store);
}
