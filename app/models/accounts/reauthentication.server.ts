import { type DatabaseOrTransaction, getDb } from "~/db.server";

/** Minutes for which a proof of identity admits sensitive actions. */
const FRESH_MINUTES = 10;

/** Whether the session's person proved who they are within the last ten minutes, or within others. */
export async function isSessionFresh(
  sessionId: string,
  db: DatabaseOrTransaction = getDb(),
  minutes: number = FRESH_MINUTES,
): Promise<boolean> {
  const [session] = await db.$queryRaw<{ fresh: boolean }[]>`
    SELECT reauthenticated_at > now() - make_interval(mins => ${minutes}::int) AS fresh
    FROM sessions WHERE id = ${sessionId}::uuid`;
  return session?.fresh ?? false;
}

/** Notes that the session's person has just proved who they are. */
export async function markReauthenticated(
  sessionId: string,
  db: DatabaseOrTransaction = getDb(),
): Promise<void> {
  await db.$executeRaw`
    UPDATE sessions SET reauthenticated_at = now() WHERE id = ${sessionId}::uuid`;
}
