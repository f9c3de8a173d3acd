import { randomBytes } from "node:crypto";
import { type ContentType, EXTENSIONS } from "~/services/storage/content-types";

interface KeyParts {
  access: "private" | "public";
  userId: string;
  folder: string;
  contentType: ContentType;
}

/**
 * Creates a new object's key: 128 random bits, so that a public key cannot be guessed, and never a part
 * of the file's name. Private keys contain their owner's id.
 */
export function createObjectKey({ access, userId, folder, contentType }: KeyParts): string {
  const name = `${randomBytes(16).toString("hex")}.${EXTENSIONS[contentType]}`;
  return access === "private" ? `private/${userId}/${folder}/${name}` : `public/${folder}/${name}`;
}
