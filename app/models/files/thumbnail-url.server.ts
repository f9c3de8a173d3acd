import { getEnv } from "~/env.server";
import type { OwnedFile } from "~/models/files/files.server";
import type { ObjectStore } from "~/services/storage/object-store.server";
import { thumbnailKey } from "~/services/storage/thumbnail-key";

/**
 * The address of the smallest stored picture of at least this width, or of the original of a file without
 * thumbnails; null if it is no picture.
 */
export async function thumbnailUrl(
  { key, access, filename, contentType, thumbnailWidths }: OwnedFile,
  { store, width: wanted }: { store: ObjectStore; width: number },
): Promise<string | null> {
  if (!contentType.startsWith("image/")) return null;
  const width = thumbnailWidths.find((stored) => stored >= wanted) ?? thumbnailWidths.at(-1);
  const object = width
    ? { key: thumbnailKey(key, width), contentType: "image/webp" }
    : { key, contentType };
  if (access === "public") return store.publicUrl(object.key);
  const expiresIn = getEnv().ttl.downloadUrl;
  return store.presignGet({ ...object, access, filename, expiresIn });
}
