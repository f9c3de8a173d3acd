import type { ImageAccess } from "~/models/images/gallery-image";

/** A file as the page's loader returns it. `size` is in bytes. */
export interface ListedFile {
  fileId: string;
  filename: string;
  status: string;
  access: ImageAccess;
  contentType: string;
  size: number;
  createdAt: string;
  /** The prompt of a generated image; null for an upload. */
  prompt: string | null;
  /** Whether its owner may change who can see it. */
  isMovable: boolean;
  /** The access that its owner asked for, until it is moved; null if it stays. */
  wantedAccess: ImageAccess | null;
  /** The permanent address of a public file; null for a private one. */
  publicUrl: string | null;
  /** The smallest picture of it in which a tile is sharp; null where it has none. */
  thumbnail: string | null;
}

const TYPE_NAMES: Record<string, string> = {
  "image/jpeg": "JPEG",
  "image/png": "PNG",
  "image/gif": "GIF",
  "image/webp": "WebP",
  "image/svg+xml": "SVG",
  "application/pdf": "PDF",
};

/** Returns a content type's name, the same in every language. */
export const typeName = (contentType: string): string => TYPE_NAMES[contentType] ?? contentType;
