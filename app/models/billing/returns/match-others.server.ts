import type { Transaction } from "~/db.server";
import type { PaymentProviderName } from "~/env/payments";
import { idsOf, type Returned } from "~/models/billing/returns/return-log.server";
import type { PaymentReturned } from "~/services/payments/billing-event";

/** A period to which a return was matched by guess, before its payment came. */
export type GuessedPeriod = Extract<Returned, { of: "period" }>;

/** The periods other than its own to which returns of a payment are matched. */
export async function listGuessed(
  {
    provider,
    paymentId,
    returned,
  }: { provider: PaymentProviderName; paymentId: string | null; returned: Returned },
  transaction: Transaction,
): Promise<GuessedPeriod[]> {
  const { periodId } = idsOf(returned);
  const found = await transaction.$queryRaw<Omit<GuessedPeriod, "of">[]>`
    SELECT DISTINCT paid.id AS "periodId", subscription_id AS "subscriptionId", user_id AS "userId"
    FROM payment_returns guessed JOIN subscription_periods paid ON paid.id = period_id
      JOIN subscriptions ON subscriptions.id = subscription_id
    WHERE guessed.provider = ${provider} AND guessed.provider_payment_id = ${paymentId}
      AND period_id IS DISTINCT FROM ${periodId}::uuid
    ORDER BY paid.id`;
  return found.map((period) => ({ of: "period", ...period }));
}

/**
 * Matches the other returns of a payment to its order or period, too: kept ones, since what was charged in
 * their currency may have been told only now, and those that were matched to an earlier period by guess.
 */
export async function matchOthersOf(
  {
    provider,
    event,
    returned,
    earlier,
  }: {
    provider: PaymentProviderName;
    event: PaymentReturned;
    returned: Returned;
    earlier: GuessedPeriod[];
  },
  transaction: Transaction,
): Promise<void> {
  const { orderId, periodId } = idsOf(returned);
  const { paymentId } = event.payment;
  const guessed = earlier.map((period) => period.periodId);
  await transaction.$executeRaw`
    UPDATE payment_returns SET order_id = ${orderId}::uuid, period_id = ${periodId}::uuid,
      dropped_reason = NULL
    WHERE provider = ${provider} AND provider_payment_id = ${paymentId} AND order_id IS NULL
      AND (period_id IS NULL OR period_id = ANY (${guessed}::uuid[]))
      AND (currency = ${event.currency} OR charged_amount IS NOT NULL)`;
}
