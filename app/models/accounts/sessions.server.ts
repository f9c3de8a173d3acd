import {
  type Database,
  type DatabaseOrTransaction,
  getDb,
  queryPrepared,
  type Transaction,
} from "~/db.server";
import { Prisma } from "~/generated/prisma/client";
import { lockAccount } from "~/models/accounts/account-lock.server";
import type { ChallengePurpose } from "~/models/accounts/auth-challenges.server";
import {
  ENTRY_LINKS,
  voidAllEntryLinks,
  voidLinks,
} from "~/models/accounts/verification-tokens.server";
import { spendableCredits } from "~/models/credits/balance.server";
import { createToken, hashToken } from "~/utils/token.server";
import { isTombstone } from "~/utils/tombstone";
import { isUuid } from "~/utils/uuid";

/** A session ends this long after sign-in, even if it is in use. */
export const SESSION_DAYS = 30;
/** A session ends this long after its last use. The last use is recorded at most once an hour. */
const IDLE_DAYS = 14;
const SESSIONS_PER_USER = 50;
const PENDING_SIGN_IN: ChallengePurpose = "second_factor";

/** SQL condition: the `sessions` row is no longer valid. */
export const SESSION_IS_OVER = Prisma.sql`
  (expires_at <= now() OR last_seen_at <= now() - make_interval(days => ${IDLE_DAYS}))`;

/** The signed-in user, as pages and routes see them. */
export interface SessionUser {
  id: string;
  email: string;
  name: string | null;
  emailVerified: boolean;
  locale: string;
  sessionId: string;
  /** The credits that the user could spend when the session was looked up; every page shows them. */
  balance: number;
}

interface NewSession {
  userId: string;
  userAgent: string | null;
  /** The hash that a password was just checked against, if there was one. */
  checkedHash?: string;
}

export type CreateSessionResult =
  /** The token is stored nowhere but in the cookie. */
  | { status: "created"; token: string; sessionId: string }
  | { status: "account_disabled" }
  /** The account waits until its mailed link is confirmed. */
  | { status: "account_held" }
  /** The password has changed since the check, or the account is gone. */
  | { status: "password_changed" };

/**
 * Starts a session. A user keeps the 50 most recently used sessions; older ones end. Refused if the
 * account is disabled or held, or if its password has changed since it was checked.
 */
export function createSession(
  { userId, userAgent, checkedHash }: NewSession,
  db: Database = getDb(),
): Promise<CreateSessionResult> {
  // Read committed: sign-ins of one account take turns at the lock, so each counts the sessions before
  // it. The lock also waits for a password change, deletion or disabling in progress. That one would
  // not see this session and would not end it; its result is read here instead.
  return db.$transaction(async (transaction) => {
    const [account] = await transaction.$queryRaw<
      { email: string; passwordHash: string | null; disabled: boolean; held: boolean }[]
    >`
      SELECT email, password_hash AS "passwordHash", disabled_at IS NOT NULL AS disabled,
             held_for_email AS held
      FROM users WHERE id = ${userId}::uuid FOR NO KEY UPDATE`;
    const isGone = !account || isTombstone(account);
    if (isGone || (checkedHash !== undefined && account.passwordHash !== checkedHash))
      return { status: "password_changed" };
    if (account.disabled) return { status: "account_disabled" };
    if (account.held) return { status: "account_held" };
    await transaction.$executeRaw`
      DELETE FROM sessions WHERE id IN (
        SELECT id FROM sessions WHERE user_id = ${userId}::uuid
        ORDER BY last_seen_at DESC, created_at DESC, id OFFSET ${SESSIONS_PER_USER - 1})`;
    const token = createToken();
    const [session] = await transaction.$queryRaw<{ id: string }[]>`
      INSERT INTO sessions (user_id, token_hash, user_agent, expires_at)
      VALUES (${userId}::uuid, ${hashToken(token)}, ${userAgent?.slice(0, 300) ?? null},
              now() + make_interval(days => ${SESSION_DAYS}))
      RETURNING id`;
    if (!session) throw new Error("sessions: INSERT … RETURNING gave no row");
    return { status: "created", token, sessionId: session.id };
  });
}

/**
 * The user of the token's session. Null if the session is unknown or over, or the account is disabled
 * or held.
 */
export async function getSessionUser(
  token: string,
  db: DatabaseOrTransaction = getDb(),
): Promise<SessionUser | null> {
  const statement = Prisma.sql`
    SELECT u.id, u.email, u.name, u.email_verified_at IS NOT NULL AS "emailVerified", u.locale,
           s.id AS "sessionId", ${spendableCredits(Prisma.sql`u.id`)} AS balance,
           s.last_seen_at < now() - interval '1 hour' AS stale
    FROM sessions s JOIN users u ON u.id = s.user_id
    WHERE s.token_hash = ${hashToken(token)} AND NOT ${SESSION_IS_OVER} AND u.disabled_at IS NULL
      AND NOT u.held_for_email`;
  const [user] = await queryPrepared<SessionUser & { stale: boolean }>(
    "session_user",
    statement,
    db,
  );
  if (!user) return null;
  const { stale, ...sessionUser } = user;
  // Recording the last use once an hour is precise enough for the list of sessions and saves a write
  // per request.
  if (stale)
    await db.$executeRaw`
    UPDATE sessions SET last_seen_at = now() WHERE id = ${sessionUser.sessionId}::uuid`;
  return sessionUser;
}

/**
 * Gives a session a new token and returns it. The old token stops working on commit. The session's 30
 * days are not extended. Returns null if the session has ended.
 */
export async function rotateSession(
  sessionId: string,
  db: DatabaseOrTransaction = getDb(),
): Promise<string | null> {
  const token = createToken();
  const rotated = await db.$executeRaw`
    UPDATE sessions SET token_hash = ${hashToken(token)}, last_seen_at = now()
    WHERE id = ${sessionId}::uuid`;
  return rotated === 1 ? token : null;
}

/** A session as its owner sees it. */
export interface OwnSession {
  id: string;
  userAgent: string | null;
  createdAt: Date;
  /** Accurate to the hour. */
  lastSeenAt: Date;
}

/** The user's valid sessions, most recently used first. */
export function listSessions(
  userId: string,
  db: DatabaseOrTransaction = getDb(),
): Promise<OwnSession[]> {
  return db.$queryRaw`
    SELECT id, user_agent AS "userAgent", created_at AS "createdAt", last_seen_at AS "lastSeenAt"
    FROM sessions WHERE user_id = ${userId}::uuid AND NOT ${SESSION_IS_OVER}
    ORDER BY last_seen_at DESC, id`;
}

/** Ends the token's session and returns its owner; null for an unknown token. */
export async function endSession(
  token: string,
  db: DatabaseOrTransaction = getDb(),
): Promise<{ userId: string; sessionId: string } | null> {
  const [ended] = await db.$queryRaw<{ userId: string; sessionId: string }[]>`
    DELETE FROM sessions WHERE token_hash = ${hashToken(token)}
    RETURNING user_id AS "userId", id AS "sessionId"`;
  return ended ?? null;
}

/** Ends one of the user's sessions and returns the number ended: 0 for somebody else's session. */
export async function endOwnSession(
  { userId, sessionId }: { userId: string; sessionId: string },
  db: DatabaseOrTransaction = getDb(),
): Promise<number> {
  if (!isUuid(sessionId)) return 0;
  const { count } = await db.session.deleteMany({ where: { id: sessionId, userId } });
  return count;
}

/**
 * Ends all of the user's sessions except one, and sign-ins that still lack their second factor, and voids
 * the links that let somebody in. Returns the number of sessions ended.
 */
export async function endSessions(
  { userId, except }: { userId: string; except?: string },
  transaction: Transaction,
): Promise<number> {
  await voidLinks({ userId, purposes: ENTRY_LINKS }, transaction);
  await transaction.authChallenge.deleteMany({ where: { userId, purpose: PENDING_SIGN_IN } });
  const { count } = await transaction.session.deleteMany({
    where: { userId, ...(except ? { id: { not: except } } : {}) },
  });
  return count;
}

/** The same as a step of its own, for the owner or an operator. */
export function signOutEverywhere(
  ended: { userId: string; except?: string },
  db: DatabaseOrTransaction = getDb(),
): Promise<number> {
  // Read committed: the account's lock comes first, so a sign-in in progress ends too or comes later.
  return db.$transaction(async (transaction) => {
    await lockAccount(ended.userId, transaction);
    return endSessions(ended, transaction);
  });
}

/** Likewise for all users. */
export function signOutEverybody(db: DatabaseOrTransaction = getDb()): Promise<number> {
  // Read committed: all of it or nothing.
  return db.$transaction(async (transaction) => {
    await voidAllEntryLinks(transaction);
    await transaction.authChallenge.deleteMany({ where: { purpose: PENDING_SIGN_IN } });
    const { count } = await transaction.session.deleteMany();
    return count;
  });
}
