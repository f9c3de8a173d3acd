import { type DatabaseOrTransaction, getDb } from "~/db.server";
import type { PaymentProviderName } from "~/env/payments";
import { Prisma } from "~/generated/prisma/client";
import { IS_TOMBSTONE } from "~/models/tombstones.server";

/** A payment that came after its account was deleted. It gave no credits, and nobody can use them. */
export interface OrphanPayment {
  provider: PaymentProviderName;
  /** Stripe: payment intent or invoice. Creem: order or transaction. */
  paymentId: string;
  userId: string;
  /** Minor units. */
  amount: number | null;
  currency: string | null;
  at: Date;
}

/**
 * SQL: payments of deleted accounts that gave nothing and have not gone back. A period whose time an
 * earlier one had granted was paid before.
 */
export const ORPHAN_PAYMENTS = Prisma.sql`
  SELECT provider, coalesce(provider_payment_id, provider_checkout_id) AS "paymentId",
    user_id::text AS "userId", amount::float8, currency, coalesce(paid_at, orders.created_at) AS at
  FROM orders JOIN users ON users.id = user_id
  WHERE ${IS_TOMBSTONE} AND amount > 0 AND status IN ('paid', 'partially_refunded')
    AND NOT EXISTS (
      SELECT 1 FROM credit_transactions
      WHERE source = 'order:' || provider || ':' || provider_checkout_id
    )
  UNION ALL
  SELECT paid.provider, paid.provider_payment_id, user_id::text, paid.amount::float8, paid.currency,
    coalesce(paid.paid_at, paid.starts_at)
  FROM subscription_periods paid
    JOIN subscriptions ON subscriptions.id = paid.subscription_id
    JOIN users ON users.id = user_id
  WHERE ${IS_TOMBSTONE} AND paid.kind <> 'trial' AND paid.provider_payment_id IS NOT NULL
    AND paid.amount IS DISTINCT FROM 0 AND paid.closed_at IS NULL AND paid.granted_for IS NULL
    AND NOT EXISTS (
      SELECT 1 FROM subscription_periods other
      WHERE other.subscription_id = paid.subscription_id
        AND other.starts_at + other.granted_for * interval '1 millisecond' > paid.starts_at
    )`;

/** The provider's orphan payments, or one of them, the oldest first. */
export function listOrphanPayments(
  { provider, paymentId }: { provider: PaymentProviderName; paymentId?: string },
  db: DatabaseOrTransaction = getDb(),
): Promise<OrphanPayment[]> {
  return db.$queryRaw`
    SELECT * FROM (${ORPHAN_PAYMENTS}) AS orphan
    WHERE provider = ${provider}
      AND (${paymentId ?? null}::text IS NULL OR "paymentId" = ${paymentId ?? null})
    ORDER BY at, "paymentId"`;
}
