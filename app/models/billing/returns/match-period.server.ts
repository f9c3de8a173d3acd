import type { DatabaseOrTransaction, Transaction } from "~/db.server";
import type { PaymentProviderName } from "~/env/payments";
import type { Returned } from "~/models/billing/returns/return-log.server";
import type { PaymentReturned } from "~/services/payments/billing-event";

/**
 * Whether the share of the payment can be known: what was charged in the return's currency was told, by
 * this return or by an earlier one, or the sale is in that currency.
 */
export async function isShareKnown(
  {
    provider,
    event,
    returned,
  }: { provider: PaymentProviderName; event: PaymentReturned; returned: Returned },
  db: DatabaseOrTransaction,
): Promise<boolean> {
  if (event.payment.chargedAmount !== null) return true;
  const { currency, payment } = event;
  const told = await db.paymentReturn.count({
    where: {
      ...{ provider, providerPaymentId: payment.paymentId ?? "" },
      ...{ currency, chargedAmount: { not: null } },
    },
  });
  if (told > 0) return true;
  if (returned.of === "order")
    return (await db.order.count({ where: { id: returned.orderId, currency } })) === 1;
  const where = { id: returned.periodId, currency, amount: { not: null } };
  return (await db.subscriptionPeriod.count({ where })) === 1;
}

/**
 * Completes a period without a payment by the return that was matched to it: what was charged and, where
 * the return names the payment as an invoice event would, the payment. Told later, that payment is the
 * same one, and another one is paid again.
 */
export async function matchPeriod(
  { event: { payment, currency }, returned }: { event: PaymentReturned; returned: Returned },
  transaction: Transaction,
): Promise<void> {
  if (returned.of !== "period") return;
  const periodPaymentId = payment.orderId === null ? payment.invoiceId : payment.paymentId;
  await transaction.$executeRaw`
    UPDATE subscription_periods paid SET
      amount = coalesce(amount, ${payment.chargedAmount}::bigint),
      currency = coalesce(currency, ${currency}),
      provider_payment_id = CASE WHEN EXISTS (
        SELECT 1 FROM subscription_periods other
        WHERE other.provider = paid.provider AND other.provider_payment_id = ${periodPaymentId}
      ) THEN provider_payment_id ELSE coalesce(provider_payment_id, ${periodPaymentId}) END
    WHERE id = ${returned.periodId}::uuid
      AND (amount IS NULL OR provider_payment_id IS NULL)`;
}
