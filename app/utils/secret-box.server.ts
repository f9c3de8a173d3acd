import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

const VERSION = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Binds a sealed text to its secret, use and owner: opening it for another one fails. */
interface Binding {
  secret: string;
  /** Each use has a key of its own, derived from the secret. */
  use: string;
  ownerId: string;
}

function keyOf({ secret, use }: Binding): Buffer {
  return Buffer.from(hkdfSync("sha256", secret, "", use, 32));
}

/** Encrypts a text with AES-256-GCM: one version byte, the nonce, the ciphertext, the tag. */
export function sealText(text: string, binding: Binding): Uint8Array<ArrayBuffer> {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv("aes-256-gcm", keyOf(binding), nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.from(binding.ownerId));
  const sealed = [cipher.update(text, "utf8"), cipher.final()];
  return new Uint8Array(
    Buffer.concat([Buffer.from([VERSION]), nonce, ...sealed, cipher.getAuthTag()]),
  );
}

/** Decrypts a sealed text. Null if it was changed, or sealed under another secret, use or owner. */
export function openText(box: Uint8Array, binding: Binding): string | null {
  if (box[0] !== VERSION || box.length < 1 + NONCE_BYTES + TAG_BYTES) return null;
  const nonce = box.subarray(1, 1 + NONCE_BYTES);
  const decipher = createDecipheriv("aes-256-gcm", keyOf(binding), nonce, {
    authTagLength: TAG_BYTES,
  });
  decipher.setAAD(Buffer.from(binding.ownerId));
  decipher.setAuthTag(box.subarray(-TAG_BYTES));
  try {
    const sealed = box.subarray(1 + NONCE_BYTES, -TAG_BYTES);
    return Buffer.concat([decipher.update(sealed), decipher.final()]).toString("utf8");
  } catch {
    return null;
  }
}
