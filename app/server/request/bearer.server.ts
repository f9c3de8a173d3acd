import { createHash, timingSafeEqual } from "node:crypto";

const digest = (text: string) => createHash("sha256").update(text).digest();

/** Whether a request carries this bearer token, compared in constant time; always false if there is none. */
export function hasBearer(request: Request, secret: string | null): boolean {
  const sent = request.headers.get("Authorization") ?? "";
  // Compares digests: timingSafeEqual requires equal lengths, and the secret's length must not
  // leak.
  return secret !== null && timingSafeEqual(digest(sent), digest(`Bearer ${secret}`));
}
