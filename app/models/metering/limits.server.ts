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

interface Counted {
  accountId: string;
  apiKeyId: string | null;
  /** Credits, in the month in which the run began. */
  amount: number;
  /** When the run began; null for one that begins now. */
  createdAt: Date | null;
}

/** SQL: the limits of the key and of the account, the key's first, and what the month cost so far. */
const ownLimits = ({ accountId, apiKeyId, createdAt }: Omit<Counted, "amount">) => Prisma.sql`
  SELECT place, scope, "limit", used, month + interval '1 month' AS next
  FROM (
    SELECT 1 AS place, 'key' AS scope, id AS key, monthly_limit AS "limit"
    FROM api_keys WHERE id = ${apiKeyId}::uuid
    UNION ALL
    SELECT 2, 'account', NULL, monthly_limit
    FROM account_settings WHERE account_id = ${accountId}::uuid
  ) AS own
  CROSS JOIN LATERAL (
    SELECT date_trunc('month', coalesce(${createdAt}::timestamptz, now()) AT TIME ZONE 'UTC')::date AS month
  ) AS counted
  CROSS JOIN LATERAL (
    SELECT coalesce(sum(credits), 0)::int AS used FROM usage_months usage
    WHERE account_id = ${accountId}::uuid AND usage.month = counted.month
      AND api_key_id IS NOT DISTINCT FROM own.key
  ) AS so_far
  WHERE "limit" IS NOT NULL`;

/** SQL: the limits that `amount` more credits would pass, the key's first. */
const passedLimits = ({ amount, ...counted }: Counted) => Prisma.sql`
  SELECT scope, "limit", used, next FROM (${ownLimits(counted)}) AS limits
  WHERE "limit" < used + ${amount}::int
  ORDER BY place`;

/** SQL: the credits that runs begun now may still cost this month; null without a limit. */
export const roomWithin = (caller: Pick<Counted, "accountId" | "apiKeyId">): Prisma.Sql =>
  Prisma.sql`(SELECT min("limit" - used) FROM (${ownLimits({ ...caller, createdAt: null })}) AS limits)`;

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
