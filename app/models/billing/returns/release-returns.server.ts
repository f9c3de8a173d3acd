import type { Transaction } from "~/db.server";
import type { PaymentProviderName } from "~/env/payments";
import { log } from "~/utils/logger.server";

interface KnownInvoice {
  provider: PaymentProviderName;
  /** Stripe: the invoice. Creem: the transaction. */
  invoiceId: string;
}

/** Locks the subscription whose period an invoice paid for. Returns its id, or null while none is known. */
export async function lockPaidBy(
  { provider, invoiceId }: KnownInvoice,
  transaction: Transaction,
): Promise<string | null> {
  const [locked] = await transaction.$queryRaw<{ id: string }[]>`
    SELECT id FROM subscriptions WHERE id = (
      SELECT subscription_id FROM subscription_periods
      WHERE provider = ${provider} AND provider_payment_id = ${invoiceId}
    ) FOR UPDATE`;
  return locked?.id ?? null;
}

/**
 * Keeps the returns again that were matched by guess to the period of an invoice, once it is known which
 * payments paid that, and theirs is none of them. A payment that is named as the invoice's by one of its
 * returns is the invoice's. Returns how many were kept. The caller has locked the subscription, and
 * settles it.
 */
export async function releaseForeignReturns(
  { provider, invoiceId }: KnownInvoice,
  transaction: Transaction,
): Promise<number> {
  const released = await transaction.$queryRaw<{ paymentId: string }[]>`
    WITH linked AS (
      SELECT provider_intent_id AS payment FROM invoice_payments
      WHERE provider = ${provider} AND provider_payment_id = ${invoiceId}
    )
    UPDATE payment_returns guessed SET period_id = NULL, tried_at = NULL
    FROM subscription_periods paid
    WHERE paid.id = guessed.period_id
      AND paid.provider = ${provider} AND paid.provider_payment_id = ${invoiceId}
      AND EXISTS (SELECT 1 FROM linked)
      AND NOT EXISTS (
        SELECT 1 FROM payment_returns same
        WHERE same.provider = guessed.provider
          AND same.provider_payment_id = guessed.provider_payment_id
          AND (
            -- A total from before version 1.0 may bear the period's id.
            same.provider_payment_id IN (${invoiceId}, paid.id::text)
            OR same.provider_invoice_id = ${invoiceId}
            OR same.provider_payment_id IN (SELECT payment FROM linked)
            OR same.provider_order_id IN (SELECT payment FROM linked)
          )
      )
    RETURNING guessed.provider_payment_id AS "paymentId"`;
  for (const { paymentId } of released)
    log().warn(
      { provider, paymentId, invoiceId },
      "a refund or dispute was matched to an invoice that another payment paid: kept until its payment comes, see npm run billing -- returns",
    );
  return released.length;
}
