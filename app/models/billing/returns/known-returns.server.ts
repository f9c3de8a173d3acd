import { type DatabaseOrTransaction, getDb } from "~/db.server";
import type { PaymentProviderName } from "~/env/payments";
import { Prisma } from "~/generated/prisma/client";
import type { Returned } from "~/models/billing/returns/return-log.server";
import { type ReturnRow, unexplained } from "~/models/billing/shares/returned-share";
import { IS_ORDER_TOTAL, IS_PERIOD_TOTAL } from "~/models/billing/shares/total-rows.server";

/** A refund or dispute as an operator sees it. Amounts in minor units. */
export interface KnownReturn extends ReturnRow {
  id: string;
  provider: PaymentProviderName;
  orderId: string | null;
  periodId: string | null;
  subscriptionId: string | null;
  /** Null while it is kept. */
  userId: string | null;
  heardAt: Date;
  /** Why an operator dropped it; null for all others. */
  droppedReason: string | null;
}

/** The order or period of a return; null while it is kept. */
export function returnedOf(row: KnownReturn): Returned | null {
  const { orderId, periodId, subscriptionId, userId } = row;
  if (userId === null) return null;
  if (orderId !== null) return { of: "order", orderId, userId };
  if (periodId === null || subscriptionId === null) return null;
  return { of: "period", periodId, subscriptionId, userId };
}

/** The sum that an unnamed row counts, in minor units. Of kept ones, only those of its payment are its sale's. */
export function unexplainedOf(figure: KnownReturn, known: readonly KnownReturn[]): number {
  const { orderId, periodId, providerPaymentId, provider } = figure;
  const ofSale = known.filter(
    (row) =>
      row.orderId === orderId &&
      row.periodId === periodId &&
      (orderId !== null || periodId !== null || row.providerPaymentId === providerPaymentId),
  );
  return unexplained(figure, ofSale, provider);
}

const KNOWN = Prisma.sql`
  returned.id, returned.provider, provider_return_id AS "providerReturnId", returned.kind, state,
  (${IS_ORDER_TOTAL} OR ${IS_PERIOD_TOTAL}) AS "isTotal",
  returned.provider_payment_id AS "providerPaymentId", returned.amount::float8,
  charged_amount::float8 AS "chargedAmount", returned.currency, order_id AS "orderId",
  period_id AS "periodId", subscription_id AS "subscriptionId",
  coalesce(orders.user_id, subscriptions.user_id) AS "userId", heard_at AS "heardAt",
  returned.dropped_reason AS "droppedReason"`;

const OF_SALE = Prisma.sql`
  FROM payment_returns returned LEFT JOIN orders ON orders.id = order_id
    LEFT JOIN subscription_periods paid ON paid.id = period_id
    LEFT JOIN subscriptions ON subscriptions.id = subscription_id`;

/**
 * The returns of a payment, by whatever id the provider gives it: payment intent, charge, invoice,
 * transaction, order or checkout.
 */
export function listReturnsOf(
  { provider, paymentId }: { provider: PaymentProviderName; paymentId: string },
  db: DatabaseOrTransaction,
): Promise<KnownReturn[]> {
  return db.$queryRaw`
    SELECT ${KNOWN} ${OF_SALE}
    WHERE returned.provider = ${provider} AND ${paymentId} IN (returned.provider_payment_id,
      provider_order_id, provider_invoice_id, returned.provider_checkout_id,
      orders.provider_payment_id, orders.provider_checkout_id, paid.provider_payment_id)
    ORDER BY returned.heard_at, returned.id`;
}

/**
 * SQL: a kept return that may be this installation's: its payment is one of ours, so that it is kept for its
 * currency, or it names a customer, a subscription or a pack of ours. An account at a provider may sell other
 * things, and most events of a return name the payment only.
 */
export const MAY_BE_OURS = Prisma.sql`EXISTS (
  SELECT 1 FROM payment_returns same WHERE same.provider = returned.provider
    AND same.provider_payment_id = returned.provider_payment_id
    AND (sku_key IS NOT NULL OR same.order_id IS NOT NULL OR same.period_id IS NOT NULL OR EXISTS (
      SELECT 1 FROM subscriptions ours WHERE ours.provider = same.provider
        AND (ours.provider_subscription_id = same.provider_subscription_id
          OR ours.provider_customer_id = same.provider_customer_id)
    ) OR EXISTS (
      SELECT 1 FROM orders ours WHERE ours.provider = same.provider
        AND (ours.provider_payment_id IN (same.provider_payment_id, same.provider_order_id)
          OR ours.provider_checkout_id = same.provider_checkout_id)
    ) OR EXISTS (
      SELECT 1 FROM subscription_periods ours WHERE ours.provider = same.provider
        AND ours.provider_payment_id IN (same.provider_payment_id, same.provider_invoice_id)
    ) OR EXISTS (
      SELECT 1 FROM invoice_payments link
        JOIN subscription_periods ours USING (provider, provider_payment_id)
      WHERE link.provider = same.provider
        AND link.provider_intent_id IN (same.provider_payment_id, same.provider_order_id)
    ))
)`;

/** Whether a kept return of this payment may be this installation's. */
export async function mayBeOurs(
  { provider, paymentId }: { provider: PaymentProviderName; paymentId: string },
  db: DatabaseOrTransaction,
): Promise<boolean> {
  const rows = await db.$queryRaw<unknown[]>`
    SELECT 1 AS ours FROM payment_returns returned
    WHERE provider = ${provider} AND provider_payment_id = ${paymentId} AND ${MAY_BE_OURS} LIMIT 1`;
  return rows.length > 0;
}

/** Kept returns that may be ours, the oldest first: all of them, or the first ones. */
export function listKept(
  { provider, limit = null }: { provider?: PaymentProviderName; limit?: number | null },
  db: DatabaseOrTransaction,
): Promise<KnownReturn[]> {
  return db.$queryRaw`
    SELECT ${KNOWN} ${OF_SALE}
    WHERE order_id IS NULL AND period_id IS NULL AND returned.dropped_reason IS NULL
      AND ${MAY_BE_OURS} AND (${provider ?? null}::text IS NULL OR returned.provider = ${provider ?? null})
    ORDER BY returned.heard_at, returned.id LIMIT ${limit}`;
}

/** A kept return by its row's id; null if there is none, or if its payment is known. */
export async function findKeptReturn(
  id: string,
  db: DatabaseOrTransaction = getDb(),
): Promise<Pick<KnownReturn, "provider" | "providerPaymentId"> | null> {
  const row = await db.paymentReturn.findFirst({
    where: { id, orderId: null, periodId: null, droppedReason: null },
    select: { provider: true, providerPaymentId: true },
  });
  return row && { ...row, provider: row.provider as PaymentProviderName };
}
