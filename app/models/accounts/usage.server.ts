import { ACTION_KEYS, type ActionKey } from "~/catalog";
import { type DatabaseOrTransaction, getDb, queryPrepared } from "~/db.server";
import { Prisma } from "~/generated/prisma/client";
import type { MeteredRunStatus } from "~/generated/prisma/enums";
import { SUBJECT } from "~/models/actions/registry.server";
import { IS_KNOWN, type RunFault } from "~/models/metering/runs.server";
import type { PageOfRows, Placed } from "~/models/row-pages.server";
import { isUuid } from "~/utils/uuid";

/** A run as its account sees it. Amounts are in credits. */
export interface UsedRun {
  id: string;
  action: ActionKey;
  status: MeteredRunStatus;
  /** Its subject, such as a prompt; null or empty if nothing is kept. */
  subject: string | null;
  /** Units that were used; while it runs, those that are paid in advance. */
  units: number;
  /** Credits that it cost; while it runs, those that are taken. */
  credits: number;
  error: RunFault | null;
  /** The key that the request came with; null for a person's own. */
  apiKeyId: string | null;
  apiKeyName: string | null;
  createdAt: Date;
  endedAt: Date | null;
}

/** SQL: the columns of a `UsedRun`. */
const USED = Prisma.sql`
  run.id, run.action, run.status, ${SUBJECT} AS subject,
  CASE run.status WHEN 'reserved' THEN run.units_reserved ELSE run.units_used END AS units,
  CASE run.status WHEN 'reserved' THEN run.credits_reserved ELSE run.credits_charged END AS credits,
  run.error, run.api_key_id AS "apiKeyId",
  (SELECT name FROM api_keys WHERE api_keys.id = run.api_key_id) AS "apiKeyName", run.created_at AS "createdAt", run.settled_at AS "endedAt"`;

/** SQL: the account's runs of actions that the catalog has. */
const known = (accountId: string) =>
  Prisma.sql`run.account_id = ${accountId}::uuid AND ${IS_KNOWN}`;

const RUNS_PER_PAGE = 50;

/**
 * The account's runs, newest first, one page at a time. `cursor` is the id of the previous page's last run; an
 * unknown one starts from the top.
 */
export async function listUsage(
  {
    accountId,
    action,
    cursor,
  }: { accountId: string; action: ActionKey | null; cursor: string | null },
  db: DatabaseOrTransaction = getDb(),
): Promise<{ runs: UsedRun[]; nextCursor: string | null }> {
  const last = cursor !== null && isUuid(cursor) ? cursor : null;
  const statement = Prisma.sql`
    WITH last AS (
      SELECT created_at, id FROM metered_runs
      WHERE id = ${last}::uuid AND account_id = ${accountId}::uuid
    )
    SELECT ${USED} FROM metered_runs run
    WHERE ${known(accountId)} AND (${action}::text IS NULL OR run.action = ${action})
      AND (NOT EXISTS (SELECT FROM last)
        OR (run.created_at, run.id) < (SELECT created_at, id FROM last))
    ORDER BY run.created_at DESC, run.id DESC LIMIT ${RUNS_PER_PAGE + 1}::int`;
  const rows = await queryPrepared<UsedRun>("list_usage", statement, db);
  const runs = rows.slice(0, RUNS_PER_PAGE);
  return { runs, nextCursor: rows.length > RUNS_PER_PAGE ? (runs.at(-1)?.id ?? null) : null };
}

/** The runs of one action on one day. */
export interface DayOfRuns {
  /** The UTC day on which they began, as `2026-11-22`. */
  day: string;
  action: ActionKey;
  runs: number;
  /** Units that were used. */
  units: number;
  /** Credits that they cost; of those that go on, the credits that are taken. */
  credits: number;
}

/** The account's runs of the last days by day and action, the latest day first. Days without runs are left out. */
export function sumUsage(
  { accountId, days }: { accountId: string; days: number },
  db: DatabaseOrTransaction = getDb(),
): Promise<DayOfRuns[]> {
  const statement = Prisma.sql`
    SELECT to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day, action, count(*)::int AS runs,
      sum(units_used)::int AS units,
      sum(CASE status WHEN 'reserved' THEN credits_reserved ELSE credits_charged END)::int AS credits
    FROM metered_runs run
    WHERE ${known(accountId)} AND created_at >= ((statement_timestamp() AT TIME ZONE 'UTC')::date
        - ${days - 1}::int)::timestamp AT TIME ZONE 'UTC'
    GROUP BY day, action ORDER BY day DESC, array_position(${ACTION_KEYS}::text[], action)`;
  return queryPrepared<DayOfRuns>("sum_usage", statement, db);
}

/** One page of the account's runs begun until `until`, oldest first, after the row `after`. */
export function pageUsage(
  { userId, until, after, limit }: PageOfRows,
  db: DatabaseOrTransaction = getDb(),
): Promise<Placed<UsedRun>[]> {
  return db.$queryRaw`
    SELECT ${USED}, run.created_at::text AS place FROM metered_runs run
    WHERE run.account_id = ${userId}::uuid AND run.created_at <= ${until}::timestamptz
      AND (run.created_at, run.id) > (${after.place}::timestamptz, ${after.id}::uuid)
    ORDER BY run.created_at, run.id LIMIT ${limit}`;
}
