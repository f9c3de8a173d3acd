import type { DatabaseOrTransaction } from "~/db.server";
import type { PaymentProviderName } from "~/env/payments";
import type { ReversalFacts } from "~/services/payments/billing-event";

interface FoundPeriod {
  periodId: string;
  subscriptionId: string;
  userId: string;
}

/**
 * Finds the paid period whose payment goes back. By the payment's id where the provider has named it;
 * otherwise by customer, amount and time: Stripe's charges name no invoice.
 */
export async function findPeriodOfPayment(
  { provider, event }: { provider: PaymentProviderName; event: ReversalFacts },
  db: DatabaseOrTransaction,
): Promise<FoundPeriod | null> {
  return (await findById(provider, event, db)) ?? (await findByAmount(provider, event, db));
}

async function findById(
  provider: PaymentProviderName,
  { paymentId, transactionId }: ReversalFacts,
  db: DatabaseOrTransaction,
): Promise<FoundPeriod | null> {
  const [found] = await db.$queryRaw<FoundPeriod[]>`
    SELECT paid.id AS "periodId", subscription_id AS "subscriptionId", user_id AS "userId"
    FROM subscription_periods paid JOIN subscriptions ON subscriptions.id = subscription_id
    WHERE paid.provider = ${provider} AND (provider_payment_id = ${transactionId}
      OR provider_payment_id IN (
        SELECT provider_payment_id FROM invoice_payments
        WHERE provider = ${provider} AND provider_intent_id = ${paymentId}
      ))
    LIMIT 1`;
  return found ?? null;
}

/**
 * The period that began last before the payment, paid with the same amount by the same customer, and
 * by no other payment that is known.
 */
async function findByAmount(
  provider: PaymentProviderName,
  event: ReversalFacts,
  db: DatabaseOrTransaction,
): Promise<FoundPeriod | null> {
  const { providerSubscriptionId, customerId, paidAt, chargedAmount, currency } = event;
  const [found] = await db.$queryRaw<FoundPeriod[]>`
    SELECT paid.id AS "periodId", subscription_id AS "subscriptionId", user_id AS "userId"
    FROM subscription_periods paid JOIN subscriptions ON subscriptions.id = subscription_id
    WHERE paid.provider = ${provider} AND kind <> 'trial'
      AND (provider_subscription_id = ${providerSubscriptionId}
        OR provider_customer_id = ${customerId})
      AND (paid.amount IS NULL OR (paid.amount = ${chargedAmount} AND paid.currency = ${currency}))
      AND (provider_payment_id IS NULL OR ${event.transactionId}::text IS NULL)
      AND NOT EXISTS (
        SELECT 1 FROM invoice_payments known
        WHERE known.provider = paid.provider AND known.provider_payment_id = paid.provider_payment_id
      )
      AND starts_at <= ${paidAt}::timestamptz + interval '1 day' AND ends_at > ${paidAt}::timestamptz
    ORDER BY starts_at DESC LIMIT 1`;
  return found ?? null;
}
