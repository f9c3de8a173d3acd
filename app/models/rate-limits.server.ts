import { type DatabaseOrTransaction, getDb } from "~/db.server";
import { getEnv } from "~/env.server";

export interface RateLimitRule {
  /**
   * What is limited: the rule's name, a colon, and who does it (`upload:<user id>`). Hash addresses and
   * emails before they get here.
   */
  key: string;
  /** How often within one window, before `RATE_LIMIT_SCALE`. */
  limit: number;
  windowSeconds: number;
}

/** The rule's own name, as the log shows it. */
export function ruleName({ key }: Pick<RateLimitRule, "key">): string {
  return key.split(":", 1)[0] ?? "";
}

export type RateLimitResult =
  | { status: "allowed"; count: number }
  | { status: "limited"; retryAfterSeconds: number };

/**
 * Counts one use of `key` and says whether it was within the limit. The window starts with the
 * first use and is kept in PostgreSQL, so the limit holds across processes; the count is taken
 * by the same statement that raises it, so parallel requests cannot slip through together.
 */
export async function consumeRateLimit(
  { key, limit, windowSeconds }: RateLimitRule,
  db: DatabaseOrTransaction = getDb(),
): Promise<RateLimitResult> {
  const [row] = await db.$queryRaw<{ count: number; secondsLeft: number }[]>`
    INSERT INTO rate_limits AS r (key, count, expires_at)
    VALUES (${key}, 1, now() + make_interval(secs => ${windowSeconds}))
    ON CONFLICT (key) DO UPDATE SET
      count = CASE WHEN r.expires_at <= now() THEN 1 ELSE r.count + 1 END,
      expires_at = CASE WHEN r.expires_at <= now() THEN excluded.expires_at ELSE r.expires_at END
    RETURNING count, ceil(extract(epoch FROM expires_at - now()))::int AS "secondsLeft"`;
  if (!row) throw new Error("rate_limits: INSERT … RETURNING gave no row");
  if (row.count <= limit * getEnv().rateLimitScale) return { status: "allowed", count: row.count };
  return { status: "limited", retryAfterSeconds: Math.max(1, row.secondsLeft) };
}

/** Takes one counted use back: for limits on failures, counted before the outcome is known. */
export async function releaseRateLimit(
  key: string,
  db: DatabaseOrTransaction = getDb(),
): Promise<void> {
  await db.$executeRaw`UPDATE rate_limits SET count = count - 1 WHERE key = ${key} AND count > 0`;
}
