import { type DatabaseOrTransaction, getDb } from "~/db.server";
import { createToken, hashToken } from "~/utils/token.server";
import { isUuid } from "~/utils/uuid";

export const SESSION_DAYS = 30;

/** The signed-in person, as every page and route sees them. */
export interface SessionUser {
  id: string;
  email: string;
  name: string | null;
  emailVerified: boolean;
  locale: string;
  sessionId: string;
}

/**
 * Starts a session and returns its token, which only the cookie will hold. With the hash that a
 * password was checked against, null once the account has another: the lock makes this wait for a
 * change of password under way, which would not see, and so not end, a session begun meanwhile.
 */
export async function createSession(
  {
    userId,
    userAgent,
    checkedHash,
  }: { userId: string; userAgent: string | null; checkedHash?: string },
  db: DatabaseOrTransaction = getDb(),
): Promise<string | null> {
  const token = createToken();
  const hash = checkedHash ?? null;
  const inserted = await db.$executeRaw`
    INSERT INTO sessions (user_id, token_hash, user_agent, expires_at)
    SELECT id, ${hashToken(token)}, ${userAgent?.slice(0, 300) ?? null},
           now() + make_interval(days => ${SESSION_DAYS})
    FROM users WHERE id = ${userId}::uuid AND (${hash}::text IS NULL OR password_hash = ${hash})
    FOR SHARE`;
  return inserted === 1 ? token : null;
}

/** Whose session the token is, or null where it is unknown, ended or over. */
export async function getSessionUser(
  token: string,
  db: DatabaseOrTransaction = getDb(),
): Promise<SessionUser | null> {
  const [user] = await db.$queryRaw<(SessionUser & { stale: boolean })[]>`
    SELECT u.id, u.email, u.name, u.email_verified_at IS NOT NULL AS "emailVerified", u.locale,
           s.id AS "sessionId", s.last_seen_at < now() - interval '1 hour' AS stale
    FROM sessions s JOIN users u ON u.id = s.user_id
    WHERE s.token_hash = ${hashToken(token)} AND s.expires_at > now()`;
  if (!user) return null;
  const { stale, ...sessionUser } = user;
  // Once an hour is enough for a list of one's sessions, and spares a write a request.
  if (stale)
    await db.$executeRaw`
    UPDATE sessions SET last_seen_at = now() WHERE id = ${sessionUser.sessionId}::uuid`;
  return sessionUser;
}

/** Ends the token's session; an unknown token is fine. */
export async function endSession(
  token: string,
  db: DatabaseOrTransaction = getDb(),
): Promise<void> {
  await db.session.deleteMany({ where: { tokenHash: hashToken(token) } });
}

/** Ends all of the user's sessions, but the one excepted; answers how many. */
export async function endSessions(
  { userId, except }: { userId: string; except?: string },
  db: DatabaseOrTransaction = getDb(),
): Promise<number> {
  const { count } = await db.session.deleteMany({
    where: { userId, ...(except ? { id: { not: except } } : {}) },
  });
  return count;
}

/** A session as its owner sees it. */
export interface OwnSession {
  id: string;
  userAgent: string | null;
  createdAt: Date;
  /** To the hour. */
  lastSeenAt: Date;
}

/** The user's sessions that are not over, the last one used first. */
export function listSessions(
  userId: string,
  db: DatabaseOrTransaction = getDb(),
): Promise<OwnSession[]> {
  return db.$queryRaw`
    SELECT id, user_agent AS "userAgent", created_at AS "createdAt", last_seen_at AS "lastSeenAt"
    FROM sessions WHERE user_id = ${userId}::uuid AND expires_at > now()
    ORDER BY last_seen_at DESC, id`;
}

/** Ends one of the user's sessions; one that is anybody else's or over already is fine. */
export async function endOwnSession(
  { userId, sessionId }: { userId: string; sessionId: string },
  db: DatabaseOrTransaction = getDb(),
): Promise<void> {
  if (!isUuid(sessionId)) return;
  await db.session.deleteMany({ where: { id: sessionId, userId } });
}
