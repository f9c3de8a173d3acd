import { randomBytes } from "node:crypto";
import { hashToken } from "~/utils/token.server";

const CODES = 10;
const CHARACTERS = 24;
/** Codes of 80 bits, which were made before, work until they are used or replaced. */
const EARLIER_CHARACTERS = 16;
const GROUPS = /.{4}/g;
/** Crockford's base32: 5 bits each, and no letters that look like digits. */
const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** Ten new codes of 120 random bits each, in groups: `7KQM-2F9D-X0RA-HT3C-9WZE-4B6P`. */
export function createRecoveryCodes(): string[] {
  return Array.from({ length: CODES }, () => {
    const characters = [...randomBytes(CHARACTERS)].map((byte) => ALPHABET[byte % 32]).join("");
    return characters.match(GROUPS)?.join("-") ?? characters;
  });
}

/**
 * The stored hash of a typed code: its case, spaces and hyphens don't matter, nor whether I, L and O
 * were typed for 1 and 0. Null for a text that cannot be a code. Not keyed with `AUTH_SECRET`, so that
 * the codes outlive a new one; 120 bits cannot be guessed from a hash, and need no slow one (ASVS 6.5.2).
 */
export function hashRecoveryCode(userId: string, code: string): Uint8Array<ArrayBuffer> | null {
  const typed = code.replace(/[\s-]/g, "").toUpperCase().replace(/[IL]/g, "1").replace(/O/g, "0");
  if (typed.length !== CHARACTERS && typed.length !== EARLIER_CHARACTERS) return null;
  return hashToken(`recovery code ${userId} ${typed}`);
}
