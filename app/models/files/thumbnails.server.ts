import { type DatabaseOrTransaction, getDb } from "~/db.server";
import type { OwnedFile } from "~/models/files/files.server";
import type { ObjectRef, ObjectStore } from "~/services/storage/object-store.server";
import { canPreview, createPreview, type Preview } from "~/services/storage/preview.server";
import { thumbnailKey } from "~/services/storage/thumbnail-key";
import { log } from "~/utils/logger.server";

/** The columns of `files` that a preview fills. */
export function previewColumns(preview: Preview | null) {
  const thumbnails = preview?.thumbnails ?? [];
  return {
    width: preview?.width ?? null,
    height: preview?.height ?? null,
    thumbnailWidths: thumbnails.map(({ width }) => width),
    thumbnailBytes: thumbnails.reduce((sum, { bytes }) => sum + bytes.length, 0),
  };
}

interface UploadedFile {
  file: Pick<OwnedFile, "id" | "key" | "access" | "contentType" | "size">;
  /** The version that was checked. */
  etag: string;
  store: ObjectStore;
}

/**
 * Makes and stores the thumbnails of an upload that is about to be confirmed. The row learns of them
 * first, so that whatever removes the file removes them too. Without them the original is shown, so a
 * failure is logged and stops nothing.
 */
export async function addThumbnails(
  { file, etag, store }: UploadedFile,
  db: DatabaseOrTransaction = getDb(),
): Promise<void> {
  if (!(await canPreview(file.contentType))) return;
  try {
    const { key, access, size: length } = file;
    const bytes = await store.readStart({ key, access, etag, length });
    const preview = bytes && (await createPreview(bytes, file.contentType));
    if (!preview) return;
    const { count } = await db.file.updateMany({
      where: { id: file.id, status: "pending", deletedAt: null },
      data: previewColumns(preview),
    });
    if (count === 1) await putThumbnails({ file, preview, store }, db);
  } catch (error) {
    log().warn({ err: error, fileId: file.id }, "no thumbnails: the store or the database failed");
  }
}

/** Stores the thumbnails that the file's row names; if the store fails, the row forgets them. */
export async function putThumbnails(
  {
    file: { id, key, access },
    preview,
    store,
  }: { file: ObjectRef & { id: string }; preview: Preview; store: ObjectStore },
  db: DatabaseOrTransaction = getDb(),
): Promise<void> {
  const puts = await Promise.allSettled(
    preview.thumbnails.map(({ width, bytes }) =>
      store.put({
        key: thumbnailKey(key, width),
        access,
        contentType: "image/webp",
        contentLength: bytes.length,
        body: bytes,
      }),
    ),
  );
  const failed = puts.find((put) => put.status === "rejected");
  if (!failed) return;
  log().warn({ err: failed.reason, fileId: id }, "thumbnails not stored");
  const widths = preview.thumbnails.map(({ width }) => width);
  if (!(await deleteThumbnails({ key, access, thumbnailWidths: widths }, store))) return;
  await db.file.updateMany({ where: { id }, data: { thumbnailWidths: [], thumbnailBytes: 0 } });
}

/** Tries to remove a file's thumbnails. Logs and returns false if the store fails. */
export async function deleteThumbnails(
  { key, access, thumbnailWidths }: ObjectRef & Pick<OwnedFile, "thumbnailWidths">,
  store: ObjectStore,
): Promise<boolean> {
  try {
    await Promise.all(
      thumbnailWidths.map((width) => store.delete({ key: thumbnailKey(key, width), access })),
    );
    return true;
  } catch (error) {
    log().warn({ err: error, key }, "thumbnails not deleted; the sweep will try again");
    return false;
  }
}
