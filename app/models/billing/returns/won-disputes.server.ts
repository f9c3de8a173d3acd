import type { Transaction } from "~/db.server";
import type { PaymentProviderName } from "~/env/payments";
import {
  listPeriods,
  refreshGrants,
  type StoredPeriod,
} from "~/models/billing/periods/periods.server";
import { returnedCredits } from "~/models/billing/periods/returned-share";
import { type LockedOrder, lockOrder } from "~/models/billing/returns/order-reversals.server";
import { freeSource } from "~/models/credits/free-source.server";
import { addLot } from "~/models/credits/grants.server";

/** The credits given back; null if no dispute of this payment is on record. */
export type WonDispute = {
  userId: string;
  of: "order" | "period";
  /** Credits given back. */
  credits: number;
} | null;

interface DisputedPayment {
  provider: PaymentProviderName;
  /** As the provider names it. Stripe: payment intent or invoice. Creem: order or transaction. */
  paymentId: string;
}

/**
 * Gives back what a dispute took, once the operator has won it. An order gets its credits again; a paid
 * period opens again and goes on granting. What was refunded stays taken. Doing it again changes
 * nothing.
 */
export async function giveBackDispute(
  payment: DisputedPayment,
  transaction: Transaction,
): Promise<WonDispute> {
  const { provider, paymentId } = payment;
  const order = await lockOrder({ provider, paymentId, checkoutId: null }, transaction);
  if (order) return order.amountDisputed > 0 ? restoreOrder(order, transaction) : null;
  const found = await lockDisputedPeriod(payment, transaction);
  return found && reopenPeriod(found, transaction);
}

async function restoreOrder(order: LockedOrder, transaction: Transaction): Promise<WonDispute> {
  const { id, userId, provider, providerCheckoutId, credits, amount, amountRefunded } = order;
  const stays = returnedCredits(credits, { amount, amountReturned: amountRefunded });
  const back = Math.max(0, order.creditsReversed + order.creditsShort - stays);
  // A shortfall was never taken, so it is what ends first.
  const short = Math.min(order.creditsShort, back);
  const given = back - short;
  if (given > 0)
    await giveCredits(
      {
        userId,
        amount: given,
        source: `adjustment:won:${provider}:${providerCheckoutId}`,
        expiresAt: null,
        reference: id,
      },
      transaction,
    );
  await transaction.$executeRaw`
    UPDATE orders SET amount_disputed = 0, credits_short = credits_short - ${short},
      credits_reversed = credits_reversed - ${given},
      status = CASE WHEN amount_refunded = 0 THEN 'paid'
        WHEN amount_refunded >= amount THEN 'refunded'
        ELSE 'partially_refunded' END::order_status
    WHERE id = ${id}::uuid`;
  return { userId, of: "order", credits: given };
}

interface DisputedPeriod {
  userId: string;
  period: StoredPeriod;
}

async function lockDisputedPeriod(
  { provider, paymentId }: DisputedPayment,
  transaction: Transaction,
): Promise<DisputedPeriod | null> {
  const [found] = await transaction.$queryRaw<
    { id: string; subscriptionId: string; userId: string }[]
  >`
    SELECT paid.id, subscription_id AS "subscriptionId", user_id AS "userId"
    FROM subscriptions JOIN subscription_periods paid ON subscription_id = subscriptions.id
    WHERE paid.provider = ${provider} AND amount_disputed > 0
      AND (provider_payment_id = ${paymentId} OR provider_payment_id IN (
        SELECT provider_payment_id FROM invoice_payments
        WHERE provider = ${provider} AND provider_intent_id = ${paymentId}
      ))
    FOR UPDATE OF subscriptions`;
  if (!found) return null;
  const periods = await listPeriods([found.subscriptionId], transaction);
  const period = periods.find(({ id }) => id === found.id);
  return period && period.amountDisputed > 0 ? { userId: found.userId, period } : null;
}

async function reopenPeriod(
  { userId, period }: DisputedPeriod,
  transaction: Transaction,
): Promise<WonDispute> {
  const { id, subscriptionId, amount, amountRefunded, providerPaymentId } = period;
  const after = { amount, amountReturned: amountRefunded };
  const staysClosed = amount !== null && amountRefunded >= amount && amountRefunded > 0;
  await transaction.$executeRaw`
    UPDATE subscription_periods paid SET amount_disputed = 0, amount_returned = amount_refunded,
      closed_at = CASE WHEN ${staysClosed} THEN closed_at END,
      -- What an earlier period granted meanwhile isn't granted again.
      granted_for = greatest(granted_for, (
        SELECT max(extract(epoch FROM starts_at - paid.starts_at) * 1000 + granted_for)
        FROM subscription_periods other
        WHERE other.subscription_id = paid.subscription_id AND other.id <> paid.id
          AND other.closed_at IS NULL AND kind <> 'trial' AND other.starts_at <= paid.starts_at
      ))
    WHERE id = ${id}::uuid`;
  const stays = returnedCredits(period.grantedCredits ?? 0, after);
  const taken = await findTaken({ userId, periodId: id }, transaction);
  const given = staysClosed || !taken ? 0 : Math.max(0, taken.credits - stays);
  if (taken && given > 0)
    await giveCredits(
      {
        userId,
        amount: given,
        source: `adjustment:won:${period.provider}:${providerPaymentId ?? id}`,
        expiresAt: taken.expiresAt,
        reference: id,
      },
      transaction,
    );
  await refreshGrants([subscriptionId], transaction);
  return { userId, of: "period", credits: given };
}

/** The credits taken back from lots of a period that would still run, and their end. */
async function findTaken(
  { userId, periodId }: { userId: string; periodId: string },
  transaction: Transaction,
): Promise<{ credits: number; expiresAt: Date } | null> {
  const [taken] = await transaction.$queryRaw<{ credits: number | null; expiresAt: Date }[]>`
    SELECT -sum(part.amount)::int AS credits, max(lot.expires_at) AS "expiresAt"
    FROM credit_transactions reversal
      JOIN credit_allocations part ON part.transaction_id = reversal.id
      JOIN credit_transactions lot ON lot.id = part.lot_id
    WHERE reversal.user_id = ${userId}::uuid AND reversal.reference = ${periodId}
      AND reversal.type = 'reversal' AND lot.expires_at > statement_timestamp()`;
  return taken?.credits ? { credits: taken.credits, expiresAt: taken.expiresAt } : null;
}

async function giveCredits(
  lot: {
    userId: string;
    amount: number;
    source: string;
    expiresAt: Date | null;
    reference: string;
  },
  transaction: Transaction,
): Promise<void> {
  const source = await freeSource(lot.source, transaction);
  const description = "A dispute was won";
  await addLot({ ...lot, source, description, type: "adjustment" }, transaction);
}
