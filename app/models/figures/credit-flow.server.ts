import type { DatabaseOrTransaction } from "~/db.server";
import { Prisma } from "~/generated/prisma/client";
import { IS_SOLD } from "~/models/figures/lot-sales.server";

/** How credits come and go. */
export const MOVEMENTS = ["sold", "granted", "adjusted", "spent", "expired", "returned"] as const;
export type Movement = (typeof MOVEMENTS)[number];

/** Credits that came (positive) and went (negative). */
export type CreditFlow = Record<Movement, number>;

/**
 * SQL: the movement of the ledger's row `entry`.
 *
 * - `sold`: grants for an order, or for a period that was paid.
 * - `granted`: all other grants: after sign-up, and for a trial.
 * - `adjusted`: an operator's adjustments.
 * - `spent`: deductions, and the refunds that give them back.
 * - `expired`: expiries.
 * - `returned`: reversals, which take back the credits of money that went back, and the adjustments that give them back
 *   once it has come again. Operators' adjustments have a reference `operator:…` and never count here.
 */
export const MOVEMENT = Prisma.sql`CASE entry.type
  WHEN 'deduction' THEN 'spent' WHEN 'refund' THEN 'spent'
  WHEN 'expiry' THEN 'expired' WHEN 'reversal' THEN 'returned'
  WHEN 'adjustment' THEN CASE WHEN entry.reference NOT LIKE 'operator:%'
    AND entry.source LIKE 'adjustment:returned:%' THEN 'returned' ELSE 'adjusted' END
  WHEN 'grant' THEN CASE WHEN ${IS_SOLD} THEN 'sold' ELSE 'granted' END END`;

const NOTHING: CreditFlow = {
  sold: 0,
  granted: 0,
  adjusted: 0,
  spent: 0,
  expired: 0,
  returned: 0,
};

/** Sums the ledger's rows that were written in this time, by movement. */
export async function sumCreditFlow(
  { from, to }: { from: Date; to: Date },
  db: DatabaseOrTransaction,
): Promise<CreditFlow> {
  const rows = await db.$queryRaw<{ movement: Movement; credits: number }[]>`
    SELECT ${MOVEMENT} AS movement, sum(amount)::float8 AS credits FROM credit_transactions entry
    WHERE created_at >= ${from}::timestamptz AND created_at < ${to}::timestamptz GROUP BY 1`;
  return {
    ...NOTHING,
    ...Object.fromEntries(rows.map(({ movement, credits }) => [movement, credits])),
  };
}

/**
 * Sums the balances that all accounts had at this moment: the balance after the last row of each, as its row says. Where a
 * repair has recorded the correct number, that.
 */
export async function sumBalances(at: Date, db: DatabaseOrTransaction): Promise<number> {
  const [row] = await db.$queryRaw<{ credits: number }[]>`
    WITH last AS (
      SELECT DISTINCT ON (user_id) id, balance_after FROM credit_transactions
      WHERE created_at < ${at}::timestamptz ORDER BY user_id, id DESC
    ),
    repaired AS (
      SELECT DISTINCT ON (transaction_id) transaction_id AS id, after::int AS balance_after
      FROM credit_repairs WHERE field = 'balance_after' ORDER BY transaction_id, id DESC
    )
    SELECT coalesce(sum(coalesce(repaired.balance_after, last.balance_after)), 0)::float8 AS credits
    FROM last LEFT JOIN repaired USING (id)`;
  return row?.credits ?? 0;
}
