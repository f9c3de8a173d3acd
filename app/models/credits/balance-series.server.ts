import { type DatabaseOrTransaction, getDb, queryPrepared } from "~/db.server";
import { Prisma } from "~/generated/prisma/client";

/** The user's balance from `at` on, in credits. */
export interface BalancePoint {
  at: Date;
  balance: number;
}

/**
 * The user's balance over the last days, oldest first: the balance at the start of the span, then at
 * the end of each UTC day on which it changed.
 */
export function listBalancePoints(
  { userId, days }: { userId: string; days: number },
  db: DatabaseOrTransaction = getDb(),
): Promise<BalancePoint[]> {
  const statement = Prisma.sql`
    WITH start AS (
      SELECT statement_timestamp() - make_interval(days => ${days}::int) AS at
    ),
    opening AS (
      SELECT start.at, coalesce((
        SELECT balance_after FROM credit_transactions
        WHERE user_id = ${userId}::uuid AND created_at <= start.at ORDER BY id DESC LIMIT 1
      ), 0) AS balance
      FROM start
    ),
    closing AS (
      SELECT DISTINCT ON (date_trunc('day', created_at, 'UTC'))
        created_at AS at, balance_after AS balance
      FROM credit_transactions, start
      WHERE user_id = ${userId}::uuid AND created_at > start.at
      ORDER BY date_trunc('day', created_at, 'UTC'), id DESC
    )
    SELECT at, balance FROM opening UNION ALL SELECT at, balance FROM closing ORDER BY at`;
  return queryPrepared("list_balance_points", statement, db);
}
