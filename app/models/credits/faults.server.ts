import { type DatabaseOrTransaction, queryPrepared } from "~/db.server";
import { Prisma } from "~/generated/prisma/client";
import type { LedgerFault, RuleSet } from "~/models/credits/rule-set";

/**
 * Every breach of the ledger's invariants in these users' rows, from one statement and therefore one
 * instant. Reads only. Trusts no constraint: a database that was restored or repaired by hand may have
 * lost one. A wrong `balance_after` is no fault once a repair has recorded the correct number.
 */
export function listFaults(userIds: string[], db: DatabaseOrTransaction): Promise<LedgerFault[]> {
  const statement = Prisma.sql`
    WITH entry AS MATERIALIZED (
      SELECT *, sum(amount) OVER (PARTITION BY user_id ORDER BY id) AS running
      FROM credit_transactions WHERE user_id = ANY (${userIds}::uuid[])
    ),
    moved AS MATERIALIZED (
      SELECT entry.user_id, entry.id, entry.type, entry.source, lot_id, allocation.amount,
        lot.user_id AS lot_user_id, lot.remaining AS lot_remaining
      FROM entry JOIN credit_allocations allocation ON transaction_id = entry.id
      JOIN credit_transactions lot ON lot.id = lot_id
    ),
    account AS (
      SELECT user_id, account.balance, account.next_expiry_at, coalesce(sum(amount), 0) AS amounts,
        coalesce(sum(remaining), 0) AS remaining,
        min(expires_at) FILTER (WHERE remaining > 0) AS expires_at
      FROM unnest(${userIds}::uuid[]) AS checked (user_id)
      LEFT JOIN credit_accounts account USING (user_id) LEFT JOIN entry USING (user_id)
      GROUP BY user_id, account.balance, account.next_expiry_at
      HAVING account.balance IS NOT NULL OR count(entry.id) > 0
    ),
    fault AS (
      SELECT 'balance' AS rule, user_id, NULL::bigint AS id, format(
        'balance %s, amounts sum to %s, lots hold %s',
        coalesce(balance::text, 'missing'), amounts, remaining
      ) AS detail
      FROM account WHERE balance IS DISTINCT FROM amounts OR balance IS DISTINCT FROM remaining

      UNION ALL
      SELECT 'next-expiry', user_id, NULL, format(
        'next expiry %s, the lots'' is %s',
        next_expiry_at, expires_at
      )
      FROM account WHERE next_expiry_at IS DISTINCT FROM expires_at

      UNION ALL
      SELECT 'range', user_id, NULL, format('balance %s', balance) FROM account WHERE balance < 0

      UNION ALL
      SELECT 'range', user_id, id, format(
        'balance after it %s, remaining %s of %s',
        balance_after, remaining, amount
      )
      FROM entry WHERE balance_after < 0 OR remaining < 0 OR remaining > amount

      UNION ALL
      SELECT 'balance-after', user_id, id, format(
        'balance after it %s, amounts sum to %s',
        balance_after, running
      )
      FROM entry WHERE balance_after <> running AND NOT EXISTS (
        SELECT 1 FROM credit_repairs repair
        WHERE repair.transaction_id = entry.id AND repair.field = 'balance_after'
          AND repair.after = running::text
      )

      UNION ALL
      SELECT 'allocations', user_id, id, format(
        'amount %s, its allocations sum to %s',
        amount, coalesce(allocated, 0)
      )
      FROM entry LEFT JOIN (SELECT id, sum(amount) AS allocated FROM moved GROUP BY id) own USING (id)
      WHERE coalesce(allocated, 0) <> CASE WHEN remaining IS NULL THEN amount ELSE 0 END

      UNION ALL
      SELECT 'remaining', user_id, id, format(
        'remaining %s, amount %s and allocations %s',
        remaining, entry.amount, coalesce(allocated, 0)
      )
      FROM entry CROSS JOIN LATERAL (
        SELECT sum(amount) AS allocated FROM credit_allocations WHERE lot_id = entry.id
      ) own
      WHERE remaining <> entry.amount + coalesce(allocated, 0)

      UNION ALL
      SELECT 'allocated-lot', user_id, id, format(
        'allocates %s to row %s, which is no lot of the user''s to do that to',
        amount, lot_id
      )
      FROM moved
      WHERE lot_user_id <> user_id OR lot_remaining IS NULL OR (amount > 0) <> (type = 'refund')

      UNION ALL
      SELECT 'refund', refund.user_id, refund.id, format(
        'gives %s to lot %s, the spend took %s',
        refund.amount, lot_id, coalesce(-spend.amount, 0)
      )
      FROM moved refund LEFT JOIN (
        SELECT entry.user_id, entry.source || ':refund' AS source, lot_id, moved.amount
        FROM entry JOIN moved USING (id) WHERE entry.type = 'deduction'
      ) spend USING (user_id, source, lot_id)
      WHERE refund.type = 'refund' AND refund.amount > coalesce(-spend.amount, 0)

      UNION ALL
      SELECT 'source', entry.user_id, entry.id, format(
        'source %s is row %s''s too',
        entry.source, other.id
      )
      FROM entry JOIN credit_transactions other ON other.source = entry.source AND other.id <> entry.id
    )
    SELECT rule, user_id AS "userId", id::text AS "transactionId", detail
    FROM fault ORDER BY user_id, id NULLS FIRST, rule`;
  return queryPrepared("list_faults", statement, db);
}

export const creditRules: RuleSet = {
  owners: ["credit_accounts.user_id", "credit_transactions.user_id"],
  listFaults,
};
