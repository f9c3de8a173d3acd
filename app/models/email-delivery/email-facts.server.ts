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

/** A payment for a subscription. */
export async function findPayment(paymentId: string, db: DatabaseOrTransaction) {
  const payment = await db.subscriptionPeriod.findUnique({
    where: { id: paymentId },
    select: { id: true, planKey: true, startsAt: true, endsAt: true, amount: true, currency: true },
  });
  if (!payment) return null;
  const { amount, currency, ...facts } = payment;
  const total: Money | null =
    amount !== null && currency !== null ? { amount: toMinorUnits(amount), currency } : null;
  return { ...facts, total };
}

/** A subscription's present state. */
export function findSubscription(subscriptionId: string, db: DatabaseOrTransaction) {
  return db.subscription.findUnique({
    where: { id: subscriptionId },
    select: { planKey: true, status: true, cancelAtPeriodEnd: true, currentPeriodEnd: true },
  });
}
