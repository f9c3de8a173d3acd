/** An image of the gallery that its owner has not deleted. */
export interface GalleryImage {
  /** Its position in the generation, from 0. */
  index: number;
  url: string;
  persisted: boolean;
  /** Set if our own store has it. */
  fileId: string | null;
  /** Pixels; null where they are not known. */
  width: number | null;
  height: number | null;
  thumbnails: { url: string; width: number }[];
}
