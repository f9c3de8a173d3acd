import { type DatabaseOrTransaction, getDb } from "~/db.server";
import type { PaymentProviderName } from "~/env/payments";

/**
 * Ids of the pack checkouts that were started in this span, newest first, and that no order has come
 * of: most were given up. They are remembered as long as idempotency keys are, for a week.
 */
export async function listUnfinishedCheckouts(
  span: { provider: PaymentProviderName; from: Date; to: Date; limit: number },
  db: DatabaseOrTransaction = getDb(),
): Promise<string[]> {
  const rows = await db.$queryRaw<{ checkoutId: string }[]>`
    SELECT answer ->> 'sessionId' AS "checkoutId" FROM idempotency_keys
    WHERE scope = 'checkout' AND created_at BETWEEN ${span.from} AND ${span.to}
      AND answer ->> 'status' = 'started' AND answer ->> 'provider' = ${span.provider}
      AND NOT EXISTS (
        SELECT 1 FROM orders
        WHERE provider = ${span.provider} AND provider_checkout_id = answer ->> 'sessionId'
      )
    ORDER BY created_at DESC LIMIT ${span.limit}`;
  return rows.map(({ checkoutId }) => checkoutId);
}
