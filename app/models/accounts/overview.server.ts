import { type DatabaseOrTransaction, getDb, queryPrepared } from "~/db.server";
import { Prisma } from "~/generated/prisma/client";
import type { DayOfUse, Movement } from "~/models/accounts/movement";
import { LARGEST_ID, movementsSql } from "~/models/accounts/movements.server";

interface Overview {
  /** Every day of the span, oldest first. */
  days: DayOfUse[];
  latest: Movement[];
}

/** JSON writes times as texts. */
type JsonMovement = Omit<Movement, "createdAt" | "expiresAt"> & {
  createdAt: string;
  expiresAt: string | null;
};

interface OverviewRow {
  days: DayOfUse[];
  latest: JsonMovement[];
}

/**
 * Returns the user's use of credits by day and the latest movements, in one statement. A user's rows
 * have ids in the order of time, so the search for the span's first row reads no older ones.
 */
export async function getOverview(
  { userId, days, latest }: { userId: string; days: number; latest: number },
  db: DatabaseOrTransaction = getDb(),
): Promise<Overview> {
  const movements = movementsSql({ userId, kind: "all", before: LARGEST_ID, limit: latest });
  const statement = Prisma.sql`
    WITH span AS (
      SELECT (statement_timestamp() AT TIME ZONE 'UTC')::date AS today, ${days}::int - 1 AS earlier
    ),
    before AS (
      SELECT id FROM span, credit_transactions
      WHERE user_id = ${userId}::uuid
        AND created_at < (today - earlier)::timestamp AT TIME ZONE 'UTC'
      ORDER BY id DESC LIMIT 1
    ),
    spent AS (
      SELECT (spend.created_at AT TIME ZONE 'UTC')::date AS day,
        sum(-spend.amount - coalesce(back.amount, 0))::int AS used,
        coalesce(sum(back.amount), 0)::int AS refunded
      FROM credit_transactions spend
      LEFT JOIN credit_transactions back
        ON back.source = spend.source || ':refund' AND back.type = 'refund'
      WHERE spend.user_id = ${userId}::uuid AND spend.type = 'deduction'
        AND spend.id > coalesce((SELECT id FROM before), 0)
      GROUP BY day
    ),
    every_day AS (
      SELECT today - earlier + nth AS day FROM span, generate_series(0, earlier) AS nth
    )
    SELECT
      (SELECT jsonb_agg(jsonb_build_object('day', day, 'used', coalesce(used, 0),
         'refunded', coalesce(refunded, 0)) ORDER BY day)
       FROM every_day LEFT JOIN spent USING (day)) AS days,
      (SELECT coalesce(jsonb_agg(to_jsonb(movement)), '[]') FROM (${movements}) AS movement) AS latest`;
  const [overview] = await queryPrepared<OverviewRow>("get_overview", statement, db);
  if (!overview) throw new Error("get_overview gave no row");
  return {
    days: overview.days,
    latest: overview.latest.map(({ createdAt, expiresAt, ...movement }) => ({
      ...movement,
      createdAt: new Date(createdAt),
      expiresAt: expiresAt === null ? null : new Date(expiresAt),
    })),
  };
}
