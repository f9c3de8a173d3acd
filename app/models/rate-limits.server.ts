import { type DatabaseOrTransaction, getDb, queryPrepared } from "~/db.server";
import { getEnv } from "~/env.server";
import { Prisma } from "~/generated/prisma/client";

export interface RateLimitRule {
  /**
   * The rule's name, a colon, and who is limited (`upload:<user id>`). Callers hash addresses and
   * emails first.
   */
  key: string;
  /** Uses allowed per window, before `RATE_LIMIT_SCALE` is applied. */
  limit: number;
  windowSeconds: number;
}

/** The rule's name as it appears in the log. */
export function ruleName({ key }: Pick<RateLimitRule, "key">): string {
  return key.split(":", 1)[0] ?? "";
}

export interface RateLimited {
  status: "limited";
  retryAfterSeconds: number;
}

export type RateLimitResult = { status: "allowed"; count: number } | RateLimited;

/** A key's uses in its window, this one included, and the seconds until the window ends. */
interface CountedUse {
  count: number;
  secondsLeft: number;
}

interface CountedKey extends CountedUse {
  key: string;
}

export type MultiRateLimitResult = { status: "allowed" } | (RateLimited & { rule: RateLimitRule });

/**
 * Counts one use of `key` and returns whether it was within the limit. The window starts with the first
 * use. PostgreSQL stores it, so the limit holds across processes. One statement raises and reads the
 * count, so parallel requests cannot slip through together.
 */
export async function consumeRateLimit(
  rule: RateLimitRule,
  db: DatabaseOrTransaction = getDb(),
): Promise<RateLimitResult> {
  const { key, windowSeconds } = rule;
  const statement = Prisma.sql`
    INSERT INTO rate_limits AS r (key, count, expires_at)
    VALUES (${key}, 1, now() + make_interval(secs => ${windowSeconds}::float8))
    ON CONFLICT (key) DO UPDATE SET
      count = CASE WHEN r.expires_at <= now() THEN 1 ELSE r.count + 1 END,
      expires_at = CASE WHEN r.expires_at <= now() THEN excluded.expires_at ELSE r.expires_at END
    RETURNING count, ceil(extract(epoch FROM expires_at - now()))::int AS "secondsLeft"`;
  const [row] = await queryPrepared<CountedUse>("consume_rate_limit", statement, db);
  if (!row) throw new Error("rate_limits: INSERT … RETURNING gave no row");
  if (row.count <= usesAllowed(rule)) return { status: "allowed", count: row.count };
  return limited(row);
}

/** Uses per window after `RATE_LIMIT_SCALE`; not always a whole number. */
function usesAllowed({ limit }: RateLimitRule): number {
  return limit * getEnv().rateLimitScale;
}

/** The result for a use that was counted beyond the limit. */
function limited({ secondsLeft }: CountedUse): RateLimited {
  return { status: "limited", retryAfterSeconds: Math.max(1, secondsLeft) };
}

/**
 * Counts one use of every rule, or of none if any rule is at its limit. One statement counts all of
 * them in key order, so that two callers cannot deadlock.
 */
export async function consumeRateLimits(
  rules: RateLimitRule[],
  db: DatabaseOrTransaction = getDb(),
): Promise<MultiRateLimitResult> {
  const keys = rules.map(({ key }) => key);
  const statement = Prisma.sql`
    INSERT INTO rate_limits AS r (key, count, expires_at)
    SELECT key, 1, now() + make_interval(secs => seconds)
    FROM unnest(${keys}::text[], ${rules.map(({ windowSeconds }) => windowSeconds)}::int[])
      AS rule (key, seconds)
    ORDER BY key
    ON CONFLICT (key) DO UPDATE SET
      count = CASE WHEN r.expires_at <= now() THEN 1 ELSE r.count + 1 END,
      expires_at = CASE WHEN r.expires_at <= now() THEN excluded.expires_at ELSE r.expires_at END
    RETURNING key, count, ceil(extract(epoch FROM expires_at - now()))::int AS "secondsLeft"`;
  const rows = await queryPrepared<CountedKey>("consume_rate_limits", statement, db);
  const over = findLimited(rules, rows, 0);
  if (!over) return { status: "allowed" };
  await releaseRateLimits(keys, db);
  return over;
}

/** Whether one more use of every rule would be within its limit. Counts nothing. */
export async function peekRateLimits(
  rules: RateLimitRule[],
  db: DatabaseOrTransaction = getDb(),
): Promise<MultiRateLimitResult> {
  const rows = await db.$queryRaw<CountedKey[]>`
    SELECT key, count, ceil(extract(epoch FROM expires_at - now()))::int AS "secondsLeft"
    FROM rate_limits
    WHERE key = ANY (${rules.map(({ key }) => key)}::text[]) AND expires_at > now()`;
  return findLimited(rules, rows, 1) ?? { status: "allowed" };
}

/** The first rule whose count plus `more` uses is over its limit. */
function findLimited(rules: RateLimitRule[], rows: CountedKey[], more: number) {
  for (const rule of rules) {
    const row = rows.find(({ key }) => key === rule.key);
    if (!row || row.count + more <= usesAllowed(rule)) continue;
    return { ...limited(row), rule };
  }
  return null;
}

/** Takes back one counted use: for limits on failures, which are counted before the outcome is known. */
export function releaseRateLimit(key: string, db?: DatabaseOrTransaction): Promise<void> {
  return releaseRateLimits([key], db);
}

/**
 * Takes back one counted use of every key, and removes rows that count none: a flood of tries that don't
 * count leaves nothing behind. Locks rows in the same order as counting. `held` has the counts as they are
 * once locked; the rows that the statement's start saw may be older.
 */
export async function releaseRateLimits(
  keys: string[],
  db: DatabaseOrTransaction = getDb(),
): Promise<void> {
  if (keys.length === 0) return;
  await db.$executeRaw`
    WITH held AS (
      SELECT key, count FROM rate_limits WHERE key = ANY (${keys}::text[]) ORDER BY key FOR UPDATE),
    emptied AS (
      DELETE FROM rate_limits r USING held WHERE r.key = held.key AND held.count <= 1)
    UPDATE rate_limits r SET count = r.count - 1 FROM held
    WHERE r.key = held.key AND held.count > 1`;
}
