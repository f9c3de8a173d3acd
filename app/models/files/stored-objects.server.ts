import type { StoredObjects } from "~/models/files/files.server";
import { PICTURE_TYPES } from "~/services/storage/content-types";
import type { ObjectStore } from "~/services/storage/object-store.server";
import { THUMBNAIL_WIDTHS, thumbnailKey } from "~/services/storage/thumbnail-key";
import { log } from "~/utils/logger.server";

/** Tries to remove a file's object and its thumbnails. Logs and returns false if the store fails. */
export async function deleteObject(store: ObjectStore, object: StoredObjects): Promise<boolean> {
  try {
    await store.delete({ key: object.key, access: object.access });
    return await deleteThumbnails(object, store);
  } catch (error) {
    log().warn({ err: error, key: object.key }, "object not deleted; the sweep will try again");
    return false;
  }
}

/**
 * Tries to remove a file's thumbnails, those of an attempt that broke off included. Logs and returns false
 * if the store fails.
 */
export async function deleteThumbnails(
  { key, access, contentType, thumbnailWidths }: StoredObjects,
  store: ObjectStore,
): Promise<boolean> {
  if (!PICTURE_TYPES.has(contentType)) return true;
  const widths = new Set([...thumbnailWidths, ...THUMBNAIL_WIDTHS]);
  try {
    await Promise.all(
      [...widths].map((width) => store.delete({ key: thumbnailKey(key, width), access })),
    );
    return true;
  } catch (error) {
    log().warn({ err: error, key }, "thumbnails not deleted; the sweep will try again");
    return false;
  }
}
