import { type DatabaseOrTransaction, getDb } from "~/db.server";
import type { FileAccess } from "~/generated/prisma/enums";
import { createPendingFile } from "~/models/files/files.server";
import type { StoredImage } from "~/models/images/generations.server";
import { getImageAccess } from "~/models/images/image-access.server";
import { GENERATED_FOLDER } from "~/models/images/image-moves.server";
import { pictureName } from "~/models/images/picture-name";
import { fetchImage } from "~/services/images/fetch-image.server";
import type { GeneratedImage } from "~/services/images/image-provider.server";
import { EXTENSIONS } from "~/services/storage/content-types";
import { createObjectKey } from "~/services/storage/object-key.server";
import type { ObjectStore } from "~/services/storage/object-store.server";
import { log } from "~/utils/logger.server";

interface SaveImages {
  userId: string;
  prompt: string;
  images: GeneratedImage[];
  /** The provider's API base. If it is on this machine, image URLs may be too. */
  apiBase: string;
  store: ObjectStore | null;
}

/**
 * Saves generated images as objects in our store, each as a pending file that is confirmed when
 * the generation settles. If an image cannot be saved, the provider's URL is returned: the customer has
 * what they paid for, and the failure is logged.
 */
export async function saveImages(
  { images, store, ...context }: SaveImages,
  db: DatabaseOrTransaction = getDb(),
): Promise<StoredImage[]> {
  const unsaved = ({ url }: GeneratedImage) => ({ url, persisted: false, fileId: null });
  if (!store) return images.map(unsaved);
  const access = await getImageAccess(context.userId, db);
  return Promise.all(
    images.map(async (image, index) => {
      const saved = await saveImage({ ...context, store, access, image, index }, db).catch(
        (error: unknown) => {
          log().error({ err: error }, "generated image not saved");
          return null;
        },
      );
      return saved ?? unsaved(image);
    }),
  );
}

interface SaveImage extends Omit<SaveImages, "images" | "store"> {
  image: GeneratedImage;
  index: number;
  access: FileAccess;
  store: ObjectStore;
}

async function saveImage(
  { userId, prompt, access, image, index, apiBase, store }: SaveImage,
  db: DatabaseOrTransaction,
): Promise<StoredImage | null> {
  const fetched = await fetchImage({ url: image.url, apiBase });
  if (fetched.status === "failed") {
    log().error({ reason: fetched.reason }, "generated image not saved");
    return null;
  }
  const { bytes, contentType } = fetched;
  const key = createObjectKey({ access, userId, folder: GENERATED_FOLDER, contentType });
  const filename = `${pictureName(prompt, index + 1)}.${EXTENSIONS[contentType]}`;
  // The row comes first, so that the sweep finds objects left by a crash.
  const file = await createPendingFile(
    {
      userId,
      key,
      filename,
      contentType,
      size: bytes.length,
      access,
    },
    db,
  );
  await store.put({ key, access, contentType, contentLength: bytes.length, body: bytes });
  return {
    url: access === "public" ? store.publicUrl(key) : null,
    persisted: true,
    fileId: file.id,
  };
}
