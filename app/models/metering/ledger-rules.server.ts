import type { DatabaseOrTransaction } from "~/db.server";
import type { LedgerFault, RuleSet } from "~/models/credits/rule-set";

/**
 * At any instant a run's deductions less their refunds are what it holds: the credits reserved while it
 * goes on, the charge once it is settled, and nothing once it is refunded. Each of its deductions is there,
 * and the account's own.
 */
export const meteringRules: RuleSet = { owners: ["metered_runs.account_id"], listFaults };

function listFaults(userIds: string[], db: DatabaseOrTransaction): Promise<LedgerFault[]> {
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
