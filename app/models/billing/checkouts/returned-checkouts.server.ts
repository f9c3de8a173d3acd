import { type DatabaseOrTransaction, getDb, queryPrepared } from "~/db.server";
import { Prisma } from "~/generated/prisma/client";
import type { ReturnedCheckout } from "~/models/billing/checkouts/returned-checkout";

interface ReturnedRow {
  scope: string;
  provider: string;
  startedAt: Date;
  amount: number | null;
  balanceAfter: number | null;
  expiresAt: Date | null;
  orderId: string | null;
  orderAmount: bigint | null;
  currency: string | null;
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
    SELECT started.scope, started.provider, started.created_at AS "startedAt", lot.amount,
      lot.balance_after AS "balanceAfter", lot.expires_at AS "expiresAt", orders.id AS "orderId",
      orders.amount AS "orderAmount", orders.currency
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
      SELECT amount, balance_after, expires_at FROM credit_transactions
      WHERE user_id = ${userId}::uuid AND type = 'grant' AND created_at >= started.created_at
        AND CASE started.scope
          WHEN 'checkout' THEN source = 'order:' || started.provider || ':' || started.checkout_id
          ELSE starts_with(source, 'subscription:' || started.provider || ':') END
      ORDER BY credit_transactions.id DESC LIMIT 1
    ) AS lot ON true`;
  const [row] = await queryPrepared<ReturnedRow>("find_returned_checkout", statement, db);
  if (!row) return null;
  const { scope, provider, startedAt, amount, balanceAfter, expiresAt } = row;
  const { orderId: id, orderAmount, currency } = row;
  return {
    kind: scope === "checkout" ? "pack" : "plan",
    provider,
    startedAt,
    added: amount !== null && balanceAfter !== null ? { amount, balanceAfter, expiresAt } : null,
    order:
      id && orderAmount !== null && currency ? { id, amount: Number(orderAmount), currency } : null,
  };
}
