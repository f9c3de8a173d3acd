import { randomInt } from "node:crypto";

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const LENGTH = 22;

/** Makes an id like a provider's: `cus_` or another prefix, then letters and digits. */
export function createId(prefix: string): string {
  let id = prefix;
  for (let length = 0; length < LENGTH; length += 1) id += ALPHABET[randomInt(ALPHABET.length)];
  return id;
}
