import { type DatabaseOrTransaction, getDb } from "~/db.server";
import type { PaymentProviderName } from "~/env/payments";

/**
 * Ids of pack checkouts started in this span that led to no order, newest first. Most were abandoned.
 * They are kept as long as idempotency keys are: one week.
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
