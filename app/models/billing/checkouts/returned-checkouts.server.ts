import type { Period, PlanKey } from "~/catalog";
import { type DatabaseOrTransaction, getDb, queryPrepared } from "~/db.server";
import { Prisma } from "~/generated/prisma/client";
import type { ReturnedCheckout } from "~/models/billing/checkouts/returned-checkout";

interface ReturnedRow {
  scope: string;
  provider: string;
  amount: number | null;
  balanceAfter: number | null;
  expiresAt: Date | null;
  addedAt: Date | null;
  orderId: string | null;
  orderAmount: bigint | null;
  orderCurrency: string | null;
  subscriptionId: string | null;
  planKey: PlanKey | null;
  period: Period | null;
  paymentId: string | null;
  paymentAmount: bigint | null;
  paymentCurrency: string | null;
  receiptTo: string | null;
}

/** A buyer who takes longer finds the credits on the credits page. */
const RETURN_WITHIN = Prisma.sql`interval '1 hour'`;

/**
 * Returns the checkout that the user started last, within the last hour, and what came of it; null if
 * there is none. Providers append different parameters to the return address, or none, so the address
 * is not used: nobody can name a checkout that isn't theirs. Changes nothing.
 */
export async function findReturnedCheckout(
  userId: string,
  db: DatabaseOrTransaction = getDb(),
): Promise<ReturnedCheckout | null> {
  const statement = Prisma.sql`
    SELECT started.scope, started.provider, lot.amount, lot.balance_after AS "balanceAfter",
      lot.expires_at AS "expiresAt", lot.created_at AS "addedAt", orders.id AS "orderId",
      orders.amount AS "orderAmount", orders.currency AS "orderCurrency",
      plan.id AS "subscriptionId", plan.plan_key AS "planKey", plan.period,
      paid.id AS "paymentId", paid.amount AS "paymentAmount", paid.currency AS "paymentCurrency",
      receipt.recipient AS "receiptTo"
    FROM (
      SELECT scope, created_at, answer ->> 'provider' AS provider,
        answer ->> 'sessionId' AS checkout_id
      FROM idempotency_keys
      WHERE user_id = ${userId}::uuid AND scope IN ('checkout', 'subscription-checkout')
        AND answer ->> 'status' = 'started'
        AND created_at > statement_timestamp() - ${RETURN_WITHIN}
      ORDER BY created_at DESC LIMIT 1
    ) AS started
    LEFT JOIN orders ON started.scope = 'checkout' AND orders.provider = started.provider
      AND orders.provider_checkout_id = started.checkout_id AND orders.user_id = ${userId}::uuid
    LEFT JOIN LATERAL (
      SELECT amount, balance_after, expires_at, created_at, source FROM credit_transactions
      WHERE user_id = ${userId}::uuid AND type = 'grant' AND created_at >= started.created_at
        AND CASE started.scope
          WHEN 'checkout' THEN source = 'order:' || started.provider || ':' || started.checkout_id
          ELSE starts_with(source, 'subscription:' || started.provider || ':') END
      ORDER BY credit_transactions.id DESC LIMIT 1
    ) AS lot ON true
    LEFT JOIN subscriptions plan ON started.scope = 'subscription-checkout'
      AND plan.user_id = ${userId}::uuid AND plan.provider = started.provider
      AND starts_with(lot.source,
        'subscription:' || plan.provider || ':' || plan.provider_subscription_id || ':')
    LEFT JOIN LATERAL (
      SELECT id, amount, currency FROM subscription_periods
      WHERE subscription_id = plan.id AND kind <> 'trial'
      ORDER BY starts_at DESC LIMIT 1
    ) AS paid ON true
    LEFT JOIN outbox_emails receipt ON receipt.user_id = ${userId}::uuid
      AND receipt.key = CASE WHEN orders.id IS NULL THEN 'receipt:payment:' || paid.id
        ELSE 'receipt:order:' || orders.id END`;
  const [row] = await queryPrepared<ReturnedRow>("find_returned_checkout", statement, db);
  if (!row) return null;
  const { scope, provider, amount, balanceAfter, expiresAt, addedAt, receiptTo } = row;
  return {
    kind: scope === "checkout" ? "pack" : "plan",
    provider,
    added:
      amount !== null && balanceAfter !== null && addedAt
        ? { amount, balanceAfter, expiresAt, at: addedAt }
        : null,
    order: orderOf(row),
    plan: planOf(row),
    receiptTo,
  };
}

function orderOf({ orderId: id, orderAmount, orderCurrency: currency }: ReturnedRow) {
  return id && orderAmount !== null && currency
    ? { id, amount: Number(orderAmount), currency }
    : null;
}

function planOf(row: ReturnedRow): ReturnedCheckout["plan"] {
  const { subscriptionId, planKey, period, paymentId, paymentAmount, paymentCurrency } = row;
  if (!subscriptionId || !planKey || !period) return null;
  const total =
    paymentAmount !== null && paymentCurrency
      ? { amount: Number(paymentAmount), currency: paymentCurrency }
      : null;
  return { subscriptionId, planKey, period, payment: paymentId ? { id: paymentId, total } : null };
}
