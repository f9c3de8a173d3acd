import { createHmac } from "node:crypto";

/** Tells secrets apart. Whoever has it learns nothing of a secret of 32 characters, which nobody can try through. */
export function fingerprintOf(secret: string): string {
  return createHmac("sha256", secret).update("which AUTH_SECRET").digest("hex").slice(0, 8);
}
