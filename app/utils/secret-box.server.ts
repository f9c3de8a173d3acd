import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import { getEnv } from "~/env.server";

const VERSION = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Binds a sealed text to its use and owner: opening it for another one fails. */
interface Binding {
  /** Each use has a key of its own, derived from `AUTH_SECRET`. */
  use: string;
  ownerId: string;
}

function keyOf(use: string): Buffer {
  return Buffer.from(hkdfSync("sha256", getEnv().authSecret, "", use, 32));
}

/** Encrypts a text with AES-256-GCM: one version byte, the nonce, the ciphertext, the tag. */
export function sealText(text: string, { use, ownerId }: Binding): Uint8Array<ArrayBuffer> {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv("aes-256-gcm", keyOf(use), nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.from(ownerId));
  const sealed = [cipher.update(text, "utf8"), cipher.final()];
  return new Uint8Array(
    Buffer.concat([Buffer.from([VERSION]), nonce, ...sealed, cipher.getAuthTag()]),
  );
}

/** Decrypts a sealed text. Null if it was changed, or sealed under another secret, use or owner. */
export function openText(box: Uint8Array, { use, ownerId }: Binding): string | null {
  if (box[0] !== VERSION || box.length < 1 + NONCE_BYTES + TAG_BYTES) return null;
  const nonce = box.subarray(1, 1 + NONCE_BYTES);
  const decipher = createDecipheriv("aes-256-gcm", keyOf(use), nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(ownerId));
  decipher.setAuthTag(box.subarray(-TAG_BYTES));
  try {
    const sealed = box.subarray(1 + NONCE_BYTES, -TAG_BYTES);
    return Buffer.concat([decipher.update(sealed), decipher.final()]).toString("utf8");
  } catch {
    return null;
  }
}
