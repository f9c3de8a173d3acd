import { type DatabaseOrTransaction, getDb } from "~/db.server";
import { getEnv } from "~/env.server";
import type { FileAccess } from "~/generated/prisma/enums";
import { getOwnedFile } from "~/models/files/files.server";
import type { GalleryImage } from "~/models/images/gallery-image";
import type { StoredImage } from "~/models/images/generations.server";
import type { ObjectStore } from "~/services/storage/object-store.server";
import { thumbnailKey } from "~/services/storage/thumbnail-key";

/** The part of a file that its addresses are made of. */
export interface StoredPicture {
  key: string;
  access: FileAccess;
  contentType: string;
  filename: string;
}

/** An image's address: permanent, or signed for a time if the image is private. */
export interface ImageUrl {
  url: string;
  urlExpiresAt?: Date;
}

/** Signs the address of a private image. */
async function signedImageUrl(
  picture: StoredPicture,
  store: ObjectStore,
): Promise<Required<ImageUrl>> {
  const expiresIn = getEnv().ttl.downloadUrl;
  const urlExpiresAt = new Date(Date.now() + expiresIn * 1000);
  return { url: await store.presignGet({ ...picture, expiresIn }), urlExpiresAt };
}

/**
 * Returns the images as the JSON API does. The address of a private one is signed for this response; one that
 * was deleted since has the address of its file, which is gone.
 */
export function withAddresses(
  images: StoredImage[],
  { userId, store }: { userId: string; store: ObjectStore | null },
  db: DatabaseOrTransaction = getDb(),
): Promise<(ImageUrl & { persisted: boolean })[]> {
  return Promise.all(
    images.map(async ({ url, persisted, fileId }) => {
      if (url !== null) return { url, persisted };
      const file = store && fileId ? await getOwnedFile({ fileId, userId }, db) : null;
      if (store && file) return { ...(await signedImageUrl(file, store)), persisted };
      return { url: fileAddress(fileId), persisted };
    }),
  );
}

/** The address that signs a new one for the owner. */
export const fileAddress = (fileId: string | null): string =>
  `${getEnv().siteUrl.origin}/api/storage/files/${fileId}`;

/** Returns the addresses of an image and its thumbnails for its owner's pages. */
export async function pageUrls(
  { url, picture, widths }: { url: string; picture: StoredPicture | null; widths: number[] },
  store: ObjectStore | null,
): Promise<Pick<GalleryImage, "url" | "thumbnails">> {
  if (picture?.access !== "private" || !store)
    return {
      url,
      thumbnails: widths.map((width) => ({ url: thumbnailKey(url, width), width })),
    };
  const signed = await signedImageUrl(picture, store);
  const thumbnails = widths.map(async (width) => {
    const thumbnail = {
      ...picture,
      key: thumbnailKey(picture.key, width),
      contentType: "image/webp",
    };
    return { url: (await signedImageUrl(thumbnail, store)).url, width };
  });
  return { url: signed.url, thumbnails: await Promise.all(thumbnails) };
}
