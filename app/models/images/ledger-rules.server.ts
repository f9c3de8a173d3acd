import type { DatabaseOrTransaction } from "~/db.server";
import type { LedgerFault, RuleSet } from "~/models/credits/rule-set";

/**
 * Every generation has its deduction, of its user and its cost. Once it is settled, what it was charged
 * is the deduction less its refund; until then it has no refund.
 */
export const imageRules: RuleSet = { tables: ["image_generations"], listFaults };

function listFaults(userIds: string[], db: DatabaseOrTransaction): Promise<LedgerFault[]> {
  return db.$queryRaw`
    WITH made AS (
      SELECT made.id, made.user_id, cost, deduction.id AS deduction_id,
        CASE WHEN deduction.user_id = made.user_id AND deduction.type = 'deduction'
          THEN -deduction.amount ELSE 0 END AS taken,
        refund.id AS refund_id,
        CASE WHEN refund.user_id = made.user_id AND refund.type = 'refund'
          THEN refund.amount ELSE 0 END AS refunded,
        status,
        CASE status WHEN 'charged' THEN 0 ELSE greatest(0, cost - credits_charged) END AS due
      FROM image_generations made
        LEFT JOIN credit_transactions deduction ON deduction.source = 'generation:' || made.id
        LEFT JOIN credit_transactions refund ON refund.source = 'generation:' || made.id || ':refund'
      WHERE made.user_id = ANY (${userIds}::uuid[])
    ),
    fault AS (
      SELECT 'generation-cost' AS rule, user_id, deduction_id AS transaction_id,
        format('generation %s cost %s credits, %s were taken', id, cost, taken) AS detail
      FROM made WHERE taken <> cost

      UNION ALL
      SELECT 'generation-refund', user_id, refund_id, format(
        'generation %s is %s and gets %s credits back, %s were refunded', id, status, due, refunded
      )
      FROM made WHERE refunded <> due
    )
    SELECT rule, user_id AS "userId", transaction_id::text AS "transactionId", detail
    FROM fault ORDER BY user_id, detail`;
}
