import type { OwnedFile } from "~/models/files/files.server";
import { fileUrl } from "~/models/files/uploads.server";
import type { FileResponse } from "~/server/openapi/storage-responses";
import type { ObjectStore } from "~/services/storage/object-store.server";

/**
 * Returns a file in the JSON API's shape. Only a confirmed file has a URL, signed for this
 * response.
 */
export async function fileResponse(file: OwnedFile, store: ObjectStore): Promise<FileResponse> {
  const { url, urlExpiresAt } =
    file.status === "confirmed" ? await fileUrl(file, store) : { url: null, urlExpiresAt: null };
  return {
    fileId: file.id,
    key: file.key,
    filename: file.filename,
    status: file.status,
    access: file.access,
    contentType: file.contentType,
    size: file.size,
    createdAt: file.createdAt.toISOString(),
    url,
    urlExpiresAt: urlExpiresAt?.toISOString() ?? null,
  };
}
