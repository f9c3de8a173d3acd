import { type DatabaseOrTransaction, getDb, queryPrepared } from "~/db.server";
import { Prisma } from "~/generated/prisma/client";
import type { Holdings } from "~/models/credits/holdings";

interface HoldingsRow {
  balance: number;
  lasting: number;
  amount: number | null;
  at: Date | null;
}

/** Returns the user's spendable credits by their expiry. */
export async function getHoldings(
  userId: string,
  db: DatabaseOrTransaction = getDb(),
): Promise<Holdings> {
  const statement = Prisma.sql`
    SELECT coalesce(sum(remaining), 0)::int AS balance,
      coalesce(sum(remaining) FILTER (WHERE expires_at IS NULL), 0)::int AS lasting,
      (sum(remaining) FILTER (WHERE expires_at = next))::int AS amount, min(expires_at) AS at
    FROM (
      SELECT remaining, expires_at, min(expires_at) OVER () AS next FROM credit_transactions
      WHERE user_id = ${userId}::uuid AND remaining > 0
        AND (expires_at > statement_timestamp()) IS NOT FALSE
    ) AS lots`;
  const [row] = await queryPrepared<HoldingsRow>("get_holdings", statement, db);
  if (!row) throw new Error("credit_transactions: an aggregate gave no row");
  const { balance, lasting, amount, at } = row;
  const expiring = at && amount !== null ? { amount, at } : null;
  return { balance, expiring, lasting, later: balance - lasting - (amount ?? 0) };
}
