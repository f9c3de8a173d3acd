import { randomBytes } from "node:crypto";
import { type ContentType, EXTENSIONS } from "~/services/storage/content-types";

interface KeyParts {
  access: "private" | "public";
  userId: string;
  folder: string;
  contentType: ContentType;
}

/**
 * A new object's key: 128 random bits, so that a public one cannot be guessed, and never a part of
 * the file's name. Private keys carry their owner.
 */
export function createObjectKey({ access, userId, folder, contentType }: KeyParts): string {
  const name = `${randomBytes(16).toString("hex")}.${EXTENSIONS[contentType]}`;
  return access === "private" ? `private/${userId}/${folder}/${name}` : `public/${folder}/${name}`;
}
