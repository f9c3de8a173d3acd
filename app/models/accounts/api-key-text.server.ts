import { createHmac, randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";

/** Crockford's base32, in lower case: no letter that looks like a digit. */
const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
const SECRET_BITS = 128;
const CHECKSUM_BITS = 32;
const SECRET_LENGTH = Math.ceil(SECRET_BITS / 5);
const CHECKSUM_LENGTH = Math.ceil(CHECKSUM_BITS / 5);
/** 26 characters of the secret, and 7 of the checksum. */
const FORM = /^rcs_(?:live|test)_[0-9a-hjkmnp-tv-z]{33}$/;
/** Characters that pages and logs show, so that its owner knows which key it is: three of the secret's are among them. */
const SHOWN = 12;

export type KeyMode = "live" | "test";

/**
 * Returns a key: `rcs_<mode>_`, 128 bits, random by default, and a checksum of what stands before it. With the checksum
 * a scanner of leaked secrets tells a key from any other text without asking us.
 */
export function createKeyText(mode: KeyMode, bytes: Buffer = randomBytes(SECRET_BITS / 8)): string {
  const secret = BigInt(`0x${bytes.subarray(0, SECRET_BITS / 8).toString("hex")}`);
  return withChecksum(`rcs_${mode}_${encode(secret, SECRET_LENGTH)}`);
}

/**
 * The 128 bits of the key that a form makes. The same form sent twice makes the same key, so that the page after the second
 * one, which is what a browser shows, has the key of the first. Nobody can compute them without `authSecret`.
 */
export function keyBytesOfForm({
  authSecret,
  userId,
  formId,
}: {
  authSecret: string;
  userId: string;
  /** Random, new with each form. */
  formId: string;
}): Buffer {
  const own = createHmac("sha256", authSecret).update("api key of a form").digest();
  return createHmac("sha256", own)
    .update(`${userId}.${formId}`)
    .digest()
    .subarray(0, SECRET_BITS / 8);
}

/** Whether a text has the form of a key and the checksum that belongs to it. Says nothing about whether it was ever made. */
export function isKeyText(text: string): boolean {
  return FORM.test(text) && withChecksum(text.slice(0, -CHECKSUM_LENGTH)) === text;
}

/** The beginning of a key, which is no secret. */
export const shownPart = (key: string): string => key.slice(0, SHOWN);

const withChecksum = (text: string) => text + encode(BigInt(crc32(text)), CHECKSUM_LENGTH);

function encode(value: bigint, length: number): string {
  let text = "";
  for (let rest = value; text.length < length; rest >>= 5n)
    text = `${ALPHABET[Number(rest & 31n)]}${text}`;
  return text;
}
