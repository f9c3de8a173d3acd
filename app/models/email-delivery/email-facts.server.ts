import type { DatabaseOrTransaction } from "~/db.server";
import type { Money } from "~/utils/money";
import { toMinorUnits } from "~/utils/money";

/** The account as it is when the email is sent. */
export function findReader(userId: string, db: DatabaseOrTransaction) {
  return db.user.findUnique({
    where: { id: userId },
    select: { email: true, emailVerifiedAt: true },
  });
}

/** A paid order; null for any other. */
export async function findPaidOrder(orderId: string, db: DatabaseOrTransaction) {
  const order = await db.order.findUnique({
    where: { id: orderId },
    select: { id: true, credits: true, amount: true, currency: true, paidAt: true },
  });
  if (!order?.paidAt) return null;
  return { ...order, paidAt: order.paidAt, amount: toMinorUnits(order.amount) };
}

/** A payment for a subscription, and the credits on top that an upgrade has brought. */
export async function findPayment(paymentId: string, db: DatabaseOrTransaction) {
  const payment = await db.subscriptionPeriod.findUnique({
    where: { id: paymentId },
    select: {
      id: true,
      kind: true,
      planKey: true,
      startsAt: true,
      endsAt: true,
      amount: true,
      currency: true,
      grantedCredits: true,
    },
  });
  if (!payment) return null;
  const { amount, currency, grantedCredits: added, ...facts } = payment;
  const total: Money | null =
    amount !== null && currency !== null ? { amount: toMinorUnits(amount), currency } : null;
  return { ...facts, total, added };
}

/** A subscription's present state. */
export function findSubscription(subscriptionId: string, db: DatabaseOrTransaction) {
  return db.subscription.findUnique({
    where: { id: subscriptionId },
    select: {
      planKey: true,
      period: true,
      status: true,
      cancelAtPeriodEnd: true,
      currentPeriodEnd: true,
      endedAt: true,
    },
  });
}

/** The credits of a subscription's months that can still be used, and until when; null if none can. */
export async function findCreditsLeft(subscriptionId: string, db: DatabaseOrTransaction) {
  const [left] = await db.$queryRaw<{ credits: number; until: Date | null }[]>`
    SELECT coalesce(sum(lots.remaining), 0)::int AS credits, max(lots.expires_at) AS until
    FROM credit_transactions lots JOIN subscriptions own ON own.user_id = lots.user_id
    WHERE own.id = ${subscriptionId}::uuid AND lots.remaining > 0 AND lots.expires_at > now()
      AND (starts_with(lots.source,
          'subscription:' || own.provider || ':' || own.provider_subscription_id || ':')
        OR starts_with(lots.source,
          'upgrade:' || own.provider || ':' || own.provider_subscription_id || ':'))`;
  return left?.until ? { credits: left.credits, until: left.until } : null;
}

/** The name of an API key that is not revoked. */
export function findKeyName(id: string, db: DatabaseOrTransaction) {
  return db.apiKey.findUnique({ where: { id, revokedAt: null }, select: { name: true } });
}
