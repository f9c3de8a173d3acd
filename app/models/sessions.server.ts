import { type DatabaseOrTransaction, getDb } from "~/db.server";
import { createToken, hashToken } from "~/utils/token.server";

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

/** Starts a session and returns its token, which only the cookie will hold. */
export async function createSession(
  { userId, userAgent }: { userId: string; userAgent: string | null },
  db: DatabaseOrTransaction = getDb(),
): Promise<string> {
  const token = createToken();
  await db.$executeRaw`
    INSERT INTO sessions (user_id, token_hash, user_agent, expires_at)
    VALUES (${userId}::uuid, ${hashToken(token)}, ${userAgent?.slice(0, 300) ?? null},
            now() + make_interval(days => ${SESSION_DAYS}))`;
  return token;
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
