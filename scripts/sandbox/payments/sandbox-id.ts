import { randomInt } from "node:crypto";

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const LENGTH = 22;

/** An id as providers make them: `cus_` and the like, then letters and digits. */
export function createId(prefix: string): string {
  let id = prefix;
  for (let length = 0; length < LENGTH; length += 1) id += ALPHABET[randomInt(ALPHABET.length)];
  return id;
}
