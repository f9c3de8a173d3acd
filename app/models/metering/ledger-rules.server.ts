import type { DatabaseOrTransaction } from "~/db.server";
import type { LedgerFault, RuleSet } from "~/models/credits/rule-set";

/**
 * At any instant a run's deductions less their refunds are what it holds: the credits reserved while it
 * goes on, the charge once it is settled, and nothing once it is refunded. Each of its deductions is there,
 * and the account's own. What the runs of a month hold is its usage, of the account and of each key.
 */
export const meteringRules: RuleSet = { owners: ["metered_runs.account_id"], listFaults };

async function listFaults(userIds: string[], db: DatabaseOrTransaction): Promise<LedgerFault[]> {
  return [...(await listRunFaults(userIds, db)), ...(await listUsageFaults(userIds, db))];
}

/** Stands for all runs of an account: two nulls are not equal. */
const NO_KEY = "00000000-0000-0000-0000-000000000000";

function listUsageFaults(userIds: string[], db: DatabaseOrTransaction): Promise<LedgerFault[]> {
  return db.$queryRaw`
    WITH held AS (
      SELECT account_id, key, date_trunc('month', created_at AT TIME ZONE 'UTC')::date AS month,
        sum(CASE status WHEN 'reserved' THEN credits_reserved ELSE credits_charged END) AS credits
      FROM metered_runs CROSS JOIN LATERAL (
        SELECT ${NO_KEY}::uuid UNION SELECT coalesce(api_key_id, ${NO_KEY}::uuid)
      ) AS counted (key)
      WHERE account_id = ANY (${userIds}::uuid[]) GROUP BY 1, 2, 3
    ),
    usage AS (
      SELECT account_id, coalesce(api_key_id, ${NO_KEY}::uuid) AS key, month, credits
      FROM usage_months WHERE account_id = ANY (${userIds}::uuid[])
    )
    SELECT 'usage-month' AS rule, account_id AS "userId", NULL AS "transactionId",
      format('the runs of %s hold %s credits, and %s are counted%s', month,
        coalesce(held.credits, 0), coalesce(usage.credits, 0), ' for key ' || nullif(key, ${NO_KEY}::uuid)
      ) AS detail
    FROM held FULL JOIN usage USING (account_id, key, month)
    WHERE coalesce(held.credits, 0) <> coalesce(usage.credits, 0)
    ORDER BY account_id, month`;
}

function listRunFaults(userIds: string[], db: DatabaseOrTransaction): Promise<LedgerFault[]> {
  return db.$queryRaw`
    WITH run AS (
      SELECT id, account_id, status, credits_reserved, credits_charged, extensions,
        CASE action WHEN 'image' THEN 'generation:' ELSE 'run:' END || id AS source
      FROM metered_runs WHERE account_id = ANY (${userIds}::uuid[])
    ),
    part AS (
      SELECT run.id, deduction.id AS deduction_id,
        CASE WHEN deduction.user_id = account_id AND deduction.type = 'deduction'
          THEN -deduction.amount ELSE 0 END AS taken,
        refund.id AS refund_id,
        CASE WHEN refund.user_id = account_id AND refund.type = 'refund'
          THEN refund.amount ELSE 0 END AS refunded
      FROM run
        CROSS JOIN LATERAL generate_series(1, extensions + 1) AS nth
        CROSS JOIN LATERAL (SELECT source || CASE nth WHEN 1 THEN '' ELSE ':' || nth END AS name) AS own
        LEFT JOIN credit_transactions deduction ON deduction.source = own.name
        LEFT JOIN credit_transactions refund ON refund.source = own.name || ':refund'
    ),
    sums AS (
      SELECT run.*, sum(taken) AS taken, sum(refunded) AS refunded,
        max(deduction_id) AS deduction_id, max(refund_id) AS refund_id,
        CASE status WHEN 'reserved' THEN credits_reserved ELSE credits_charged END AS held
      FROM run JOIN part USING (id)
      GROUP BY run.id, account_id, status, credits_reserved, credits_charged, extensions, source
    ),
    fault AS (
      SELECT 'run-cost' AS rule, account_id, deduction_id AS transaction_id,
        format('run %s reserved %s credits, %s were taken', id, credits_reserved, taken) AS detail
      FROM sums WHERE taken <> credits_reserved

      UNION ALL
      SELECT 'run-refund', account_id, refund_id, format(
        'run %s is %s and keeps %s of %s credits, %s were refunded',
        id, status, held, credits_reserved, refunded
      )
      FROM sums WHERE refunded <> credits_reserved - held
    )
    SELECT rule, account_id AS "userId", transaction_id::text AS "transactionId", detail
    FROM fault ORDER BY account_id, detail`;
}
