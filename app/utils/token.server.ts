import { createHash, randomBytes } from "node:crypto";

const TOKEN_BYTES = 32;

/** A random 256-bit token for a cookie or a link, URL-safe. */
export function createToken(): string {
  return randomBytes(TOKEN_BYTES).toString("base64url");
}

/** The stored hash of a token. Unsalted SHA-256 is enough: the token itself cannot be guessed. */
export function hashToken(token: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHash("sha256").update(token).digest());
}

/** A short, one-way name for a personal value (IP address, email) used as a key. */
export function fingerprint(...parts: string[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("base64url").slice(0, 32);
}
