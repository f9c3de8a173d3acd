import type { ActionKey } from "~/catalog";
import { type DatabaseOrTransaction, getDb } from "~/db.server";
import { createToken, hashToken } from "~/utils/token.server";

/** Minutes for which each kind of challenge can be met. */
const LIFETIME_MINUTES = {
  /** A sign-in that still lacks its second factor. */
  second_factor: 10,
  passkey_sign_in: 5,
  passkey_register: 5,
  /** A passkey given again by a signed-in person. */
  passkey_confirm: 5,
  /** A form that waits for a new proof of who is there. */
  step_up: 10,
} as const;

/** The form of an action that a visitor sent before they had to sign in or to pay. */
type DraftPurpose = `${ActionKey}_draft`;
const DRAFT_MINUTES = 24 * 60;

export type ChallengePurpose = keyof typeof LIFETIME_MINUTES | DraftPurpose;

const lifetimeOf = (purpose: ChallengePurpose): number =>
  purpose in LIFETIME_MINUTES
    ? LIFETIME_MINUTES[purpose as keyof typeof LIFETIME_MINUTES]
    : DRAFT_MINUTES;

/** Identifies a challenge by its token and kind. */
export interface ChallengeKey {
  purpose: ChallengePurpose;
  token: string;
}

export interface Challenge {
  /** Null while nobody is known to sign in. */
  userId: string | null;
  /** Unchecked: parse it with a schema. */
  data: unknown;
}

/** Stores a challenge and returns its token of 256 random bits; the table holds only its hash. */
export async function createChallenge(
  challenge: { purpose: ChallengePurpose; userId?: string; data?: Record<string, unknown> },
  db: DatabaseOrTransaction = getDb(),
): Promise<string> {
  const { purpose, userId = null, data = {} } = challenge;
  const token = createToken();
  await db.$executeRaw`
    INSERT INTO auth_challenges (purpose, user_id, token_hash, data, expires_at)
    VALUES (${purpose}, ${userId}::uuid, ${hashToken(token)}, ${JSON.stringify(data)}::jsonb,
            now() + make_interval(mins => ${lifetimeOf(purpose)}))`;
  return token;
}

/** The challenge, if it can still be met; otherwise null. */
export async function findChallenge(
  { purpose, token }: ChallengeKey,
  db: DatabaseOrTransaction = getDb(),
): Promise<Challenge | null> {
  const [challenge] = await db.$queryRaw<Challenge[]>`
    SELECT user_id AS "userId", data FROM auth_challenges
    WHERE token_hash = ${hashToken(token)} AND purpose = ${purpose}
      AND used_at IS NULL AND expires_at > now()`;
  return challenge ?? null;
}

/**
 * Counts one try at the challenge and returns it; null if it had its tries, was met or is over. One
 * statement counts and decides, so parallel guesses cannot share a try.
 */
export async function countChallengeTry(
  { purpose, token, tries }: ChallengeKey & { tries: number },
  db: DatabaseOrTransaction = getDb(),
): Promise<Challenge | null> {
  const [challenge] = await db.$queryRaw<Challenge[]>`
    UPDATE auth_challenges SET attempts = attempts + 1
    WHERE token_hash = ${hashToken(token)} AND purpose = ${purpose}
      AND used_at IS NULL AND expires_at > now() AND attempts < ${tries}
    RETURNING user_id AS "userId", data`;
  return challenge ?? null;
}

/** Deletes the challenge with its data. */
export async function dropChallenge(
  { purpose, token }: ChallengeKey,
  db: DatabaseOrTransaction = getDb(),
): Promise<void> {
  await db.$executeRaw`
    DELETE FROM auth_challenges WHERE token_hash = ${hashToken(token)} AND purpose = ${purpose}`;
}

/** Uses up the challenge and returns it, once; null from then on, and for one that is over. */
export async function spendChallenge(
  { purpose, token }: ChallengeKey,
  db: DatabaseOrTransaction = getDb(),
): Promise<Challenge | null> {
  const [challenge] = await db.$queryRaw<Challenge[]>`
    UPDATE auth_challenges SET used_at = now()
    WHERE token_hash = ${hashToken(token)} AND purpose = ${purpose}
      AND used_at IS NULL AND expires_at > now()
    RETURNING user_id AS "userId", data`;
  return challenge ?? null;
}
