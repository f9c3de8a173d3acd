import type { DatabaseOrTransaction } from "~/db.server";
import type { PaymentProviderName } from "~/env/payments";
import type { Returned } from "~/models/billing/returns/return-log.server";
import type { ReturnedPayment } from "~/services/payments/billing-event";

interface Lookup {
  provider: PaymentProviderName;
  payment: ReturnedPayment;
  currency: string;
}

/**
 * Finds the order or the paid period whose payment goes back: by our metadata and the payment's ids, or
 * as a return of the same payment was matched before. Only with `guess` by customer, amount and time,
 * where exactly one period fits: Stripe's charges name no invoice.
 */
export async function findReturned(
  { guess, ...lookup }: Lookup & { guess: boolean },
  db: DatabaseOrTransaction,
): Promise<Returned | null> {
  // A pack's payment pays for no period.
  if (lookup.payment.metadata?.skuKey) return findOrder(lookup, db);
  return (
    (await findPeriod(lookup, db)) ??
    (await findOrder(lookup, db)) ??
    (await findEarlier(lookup, db)) ??
    (guess ? await guessPeriod(lookup, db) : null)
  );
}

async function findOrder(
  { provider, payment: { paymentId, orderId, checkoutId } }: Lookup,
  db: DatabaseOrTransaction,
): Promise<Returned | null> {
  const [found] = await db.$queryRaw<{ orderId: string; userId: string }[]>`
    SELECT id AS "orderId", user_id AS "userId" FROM orders
    WHERE provider = ${provider} AND (provider_payment_id IN (${paymentId}, ${orderId})
      OR provider_checkout_id = ${checkoutId})
    LIMIT 1`;
  return found ? { of: "order", ...found } : null;
}

interface FoundPeriod {
  periodId: string;
  subscriptionId: string;
  userId: string;
}

/** Creem's renewals may bear the order of the first checkout, so that an order's id finds one period only. */
async function findPeriod(
  { provider, payment: { paymentId, orderId, invoiceId } }: Lookup,
  db: DatabaseOrTransaction,
): Promise<Returned | null> {
  const found = await db.$queryRaw<(FoundPeriod & { isOwn: boolean })[]>`
    SELECT paid.id AS "periodId", subscription_id AS "subscriptionId", user_id AS "userId",
      provider_payment_id IN (${paymentId}, ${invoiceId}) AS "isOwn"
    FROM subscription_periods paid JOIN subscriptions ON subscriptions.id = subscription_id
    WHERE paid.provider = ${provider} AND (provider_payment_id IN (${paymentId}, ${invoiceId})
      OR provider_payment_id IN (
        SELECT provider_payment_id FROM invoice_payments
        WHERE provider = ${provider} AND provider_intent_id IN (${paymentId}, ${orderId})
      ))
    LIMIT 2`;
  const own = found.find(({ isOwn }) => isOwn) ?? (found.length === 1 ? found[0] : undefined);
  if (!own || (!own.isOwn && orderId !== null && paymentId !== orderId)) return null;
  const { periodId, subscriptionId, userId } = own;
  return { of: "period", periodId, subscriptionId, userId };
}

/** As another return of the same payment was matched. */
async function findEarlier(
  { provider, payment: { paymentId } }: Lookup,
  db: DatabaseOrTransaction,
): Promise<Returned | null> {
  const [found] = await db.$queryRaw<FoundPeriod[]>`
    SELECT paid.id AS "periodId", subscription_id AS "subscriptionId", user_id AS "userId"
    FROM payment_returns returned JOIN subscription_periods paid ON paid.id = period_id
      JOIN subscriptions ON subscriptions.id = subscription_id
    WHERE returned.provider = ${provider} AND returned.provider_payment_id = ${paymentId}
    LIMIT 1`;
  return found ? { of: "period", ...found } : null;
}

/**
 * The period that was paid with this amount by this customer, and by no payment that is known; null if
 * none fits, or more than one subscription has one. Of one subscription's periods the last that began
 * before the payment.
 */
async function guessPeriod(
  { provider, payment, currency }: Lookup,
  db: DatabaseOrTransaction,
): Promise<Returned | null> {
  const { providerSubscriptionId, customerId, paidAt, chargedAmount } = payment;
  // A period that knows its payment by such an id would have been found by it.
  const namesPeriod = payment.orderId !== null || payment.invoiceId !== null;
  const found = await db.$queryRaw<FoundPeriod[]>`
    SELECT DISTINCT ON (subscription_id) paid.id AS "periodId",
      subscription_id AS "subscriptionId", user_id AS "userId"
    FROM subscription_periods paid JOIN subscriptions ON subscriptions.id = subscription_id
    WHERE paid.provider = ${provider} AND kind <> 'trial'
      AND (provider_subscription_id = ${providerSubscriptionId}
        OR provider_customer_id = ${customerId})
      AND (paid.amount IS NULL OR (paid.amount = ${chargedAmount} AND paid.currency = ${currency}))
      AND (provider_payment_id IS NULL OR ${!namesPeriod}::boolean)
      AND NOT EXISTS (
        SELECT 1 FROM invoice_payments known
        WHERE known.provider = paid.provider AND known.provider_payment_id = paid.provider_payment_id
      )
      -- A payment that is linked to an invoice is found by it once that comes.
      AND NOT EXISTS (
        SELECT 1 FROM invoice_payments own
        WHERE own.provider = ${provider} AND own.provider_intent_id = ${payment.paymentId}
      )
      AND starts_at <= ${paidAt}::timestamptz + interval '1 day' AND ends_at > ${paidAt}::timestamptz
    ORDER BY subscription_id, starts_at DESC LIMIT 2`;
  const [only, ...others] = found;
  return only && others.length === 0 ? { of: "period", ...only } : null;
}
