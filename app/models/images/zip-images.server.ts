import { makeZip } from "client-zip";
import type { SelectedImage } from "~/models/images/selection.server";
import type { ObjectStore } from "~/services/storage/object-store.server";

/**
 * Packs images into a zip archive, piece by piece: one image at a time is in memory. Pictures are compressed
 * already, so the archive stores them as they are. One that was deleted meanwhile is left out.
 */
export async function* zipImages(
  images: SelectedImage[],
  store: ObjectStore,
): AsyncGenerator<Uint8Array> {
  const reader = makeZip(entries(images, store)).getReader();
  try {
    for (let piece = await reader.read(); !piece.done; piece = await reader.read())
      yield piece.value;
  } finally {
    await reader.cancel();
  }
}

async function* entries(images: SelectedImage[], store: ObjectStore) {
  const taken = new Set<string>();
  for (const { key, access, size: length, filename, createdAt } of images) {
    const input = await store.readStart({ key, access, etag: null, length });
    if (input) yield { name: freeName(filename, taken), input, lastModified: createdAt };
  }
}

/** A name that no other entry has: `a-lake-1.png`, then `a-lake-1 (2).png`. */
function freeName(filename: string, taken: Set<string>): string {
  const dot = filename.lastIndexOf(".");
  const stem = dot > 0 ? filename.slice(0, dot) : filename;
  const extension = dot > 0 ? filename.slice(dot) : "";
  let name = filename;
  for (let copy = 2; taken.has(name); copy += 1) name = `${stem} (${copy})${extension}`;
  taken.add(name);
  return name;
}
