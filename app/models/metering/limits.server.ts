import type { DatabaseOrTransaction } from "~/db.server";
import { Prisma } from "~/generated/prisma/client";

/** A monthly limit that would be passed. Nothing was changed. */
export interface LimitReached {
  status: "limit_reached";
  /** Whose limit it is: the key's, or the account's for all its runs. */
  scope: "key" | "account";
  /** In credits. */
  limit: number;
  /** Credits used or reserved this month. */
  used: number;
  /** The beginning of the next month, in UTC. */
  resetsAt: Date;
}

export interface Counted {
  accountId: string;
  apiKeyId: string | null;
  /** Credits, in the month in which the run began. */
  amount: number;
  /** When the run began; null for one that begins now. */
  createdAt: Date | null;
}

/** SQL: the monthly limits of the account and the key, as `place, scope, key, "limit", used, month`; the key's first. */
export const limitsInUse = ({
  accountId,
  apiKeyId,
  createdAt,
}: Omit<Counted, "amount">) => Prisma.sql`
  SELECT place, scope, key, "limit", used, month
  FROM (
    SELECT 1 AS place, 'key' AS scope, id AS key, monthly_limit AS "limit"
    FROM api_keys WHERE id = ${apiKeyId}::uuid AND monthly_limit IS NOT NULL
    UNION ALL
    SELECT 2, 'account', NULL, monthly_limit
    FROM account_settings WHERE account_id = ${accountId}::uuid AND monthly_limit IS NOT NULL
  ) AS own
  CROSS JOIN LATERAL (
    SELECT date_trunc('month', coalesce(${createdAt}::timestamptz, now()) AT TIME ZONE 'UTC')::date AS month
  ) AS counted
  CROSS JOIN LATERAL (
    SELECT coalesce(sum(credits), 0)::int AS used FROM usage_months usage
    WHERE account_id = ${accountId}::uuid AND usage.month = counted.month
      AND api_key_id IS NOT DISTINCT FROM own.key
  ) AS so_far`;

/** SQL: the limits that `amount` more credits would pass, the key's first. */
const passedLimits = (counted: Counted) => Prisma.sql`
  SELECT scope, "limit", used, month + interval '1 month' AS next FROM (${limitsInUse(counted)}) AS limits
  WHERE "limit" < used + ${counted.amount}::int
  ORDER BY place`;

/** SQL: the credits that runs begun now may still cost this month; null without a limit. */
export const roomWithin = (caller: Pick<Counted, "accountId" | "apiKeyId">): Prisma.Sql =>
  Prisma.sql`(SELECT min("limit" - used) FROM (${limitsInUse({ ...caller, createdAt: null })}) AS limits)`;

/** Percents of a monthly limit at which its owner gets an email. */
export const LIMIT_MARKS = [80, 100] as const;

/**
 * SQL: the marks that a limit's use is at with `amount` more credits, as `watcher, key, month`. The use is that of when the
 * statement began.
 */
export const limitMarks = (counted: Counted): Prisma.Sql => Prisma.sql`
  SELECT 'limit_' || percent AS watcher, key, month
  FROM (${limitsInUse(counted)}) AS limits, unnest(ARRAY[${Prisma.raw(LIMIT_MARKS.join(", "))}]) AS percent
  WHERE (used + ${counted.amount}::bigint) * 100 >= "limit"::bigint * percent`;

/**
 * SQL condition: so many more credits pass no limit. It holds for a statement that takes them only if no usage has
 * changed since the statement began: every change of usage writes the account, whose version the statement checks.
 */
export const passesNoLimit = (counted: Counted): Prisma.Sql =>
  Prisma.sql`NOT EXISTS (${passedLimits(counted)})`;

/** Returns the limit that so many more credits would pass; null if there is none. */
export async function findReachedLimit(
  counted: Counted,
  db: DatabaseOrTransaction,
): Promise<LimitReached | null> {
  const [reached] = await db.$queryRaw<
    (Omit<LimitReached, "status" | "resetsAt"> & { next: Date })[]
  >`
    ${passedLimits(counted)} LIMIT 1`;
  if (!reached) return null;
  const { next, ...rest } = reached;
  return { status: "limit_reached", ...rest, resetsAt: next };
}
