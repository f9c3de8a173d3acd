import { hash, verify } from "@node-rs/argon2";
import { inLane } from "~/utils/lanes.server";

// OWASP's first argon2id recommendation (19 MiB, 2 passes, 1 lane); the library's defaults, spelled
// out so that an upgrade cannot change them unnoticed. 2 is Algorithm.Argon2id.
const ARGON2ID = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

let decoy: Promise<string> | undefined;

/** @throws AppError 429 rate_limited or 503 busy while too many passwords wait to be hashed */
export function hashPassword(password: string): Promise<string> {
  return inLane("passwords", (signal) => hash(password, ARGON2ID, signal));
}

/**
 * Whether the password matches the hash. Without a hash (no such account, or one without a password) a
 * decoy is checked, so that the time taken reveals nothing.
 * @throws AppError 429 rate_limited or 503 busy while too many passwords wait to be hashed
 */
export async function verifyPassword(
  password: string,
  passwordHash: string | null,
): Promise<boolean> {
  const matches = await inLane("passwords", async (signal) => {
    decoy ??= hash("the decoy that no account has", ARGON2ID);
    return verify(passwordHash ?? (await decoy), password, null, signal);
  });
  return matches && passwordHash !== null;
}

/** Whether a hash was made with less work than new ones. True for text that is not an argon2 hash. */
export function needsRehash(passwordHash: string): boolean {
  const [, memoryCost, timeCost] =
    /^\$argon2id\$v=19\$m=(\d{1,10}),t=(\d{1,10}),p=\d{1,3}\$/.exec(passwordHash) ?? [];
  return !(Number(memoryCost) >= ARGON2ID.memoryCost && Number(timeCost) >= ARGON2ID.timeCost);
}
