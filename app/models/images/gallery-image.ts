/** Who can open an image. */
export type ImageAccess = "public" | "private";

/** An image of the gallery that its owner has not deleted. */
export interface GalleryImage {
  /** Its position in the generation, from 0. */
  index: number;
  /** Signed for a time if the image is private. */
  url: string;
  persisted: boolean;
  /** Set if our own store has it. */
  fileId: string | null;
  /** Set if our own store has it. */
  access: ImageAccess | null;
  /** The access that its owner asked for, until it is moved; null if it stays. */
  wantedAccess: ImageAccess | null;
  /** Pixels; null where they are not known. */
  width: number | null;
  height: number | null;
  thumbnails: { url: string; width: number }[];
}
