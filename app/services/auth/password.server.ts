import { hash, verify } from "@node-rs/argon2";

// OWASP's first argon2id recommendation (19 MiB, 2 passes, 1 lane); the library's defaults, spelled
// out so that an upgrade cannot change them unnoticed. 2 is Algorithm.Argon2id.
const ARGON2ID = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

let decoy: Promise<string> | undefined;

export function hashPassword(password: string): Promise<string> {
  return hash(password, ARGON2ID);
}

/**
 * Whether the password belongs to the hash. Without a hash (no such account, or one without a
 * password) a decoy is checked all the same, so that the time taken tells nothing.
 */
export async function verifyPassword(
  password: string,
  passwordHash: string | null,
): Promise<boolean> {
  decoy ??= hashPassword("the decoy that no account has");
  const matches = await verify(passwordHash ?? (await decoy), password);
  return matches && passwordHash !== null;
}
