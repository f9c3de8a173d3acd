import { type DatabaseOrTransaction, getDb } from "~/db.server";

interface TurnRule {
  /** Identifies the queue. Callers hash addresses and emails first. */
  key: string;
  /** Time between two turns. */
  spacingSeconds: number;
  /** A longer wait is refused. */
  maxWaitSeconds: number;
}

export type TurnResult =
  | { status: "taken"; waitSeconds: number }
  | { status: "refused"; retryAfterSeconds: number };

/**
 * Takes a key's next free turn, unless it is too far away, and returns how long to wait for it. The row
 * holds the time of the next free turn. One statement reads and advances it, so two callers never get
 * the same turn, even in different processes. Nothing waits in the database.
 */
export async function takeTurn(
  { key, spacingSeconds, maxWaitSeconds }: TurnRule,
  db: DatabaseOrTransaction = getDb(),
): Promise<TurnResult> {
  const [turn] = await db.$queryRaw<{ waitSeconds: number }[]>`
    INSERT INTO rate_limits AS r (key, count, expires_at)
    VALUES (${key}, 1, now() + make_interval(secs => ${spacingSeconds}))
    ON CONFLICT (key) DO UPDATE SET
      count = r.count + 1,
      expires_at = greatest(r.expires_at, now()) + make_interval(secs => ${spacingSeconds})
    WHERE r.expires_at <= now() + make_interval(secs => ${maxWaitSeconds})
    RETURNING extract(epoch FROM expires_at - now())::float8 - ${spacingSeconds}::float8
      AS "waitSeconds"`;
  if (turn) return { status: "taken", waitSeconds: Math.max(0, turn.waitSeconds) };
  const [next] = await db.$queryRaw<{ seconds: number }[]>`
    SELECT ceil(extract(epoch FROM expires_at - now()))::int AS seconds
    FROM rate_limits WHERE key = ${key}`;
  return { status: "refused", retryAfterSeconds: Math.max(1, next?.seconds ?? 1) };
}
