import type { Transaction } from "~/db.server";
import type { Subscription } from "~/generated/prisma/client";
import type { SubscriptionStatus } from "~/generated/prisma/enums";
import { queueEmail } from "~/models/emails/outbox.server";

// Each call stands in the transaction of the effect that it tells of. Copies of an event, replays and
// reconciliation repeat effects, so keys and changes of state decide that each email is sent once; and
// nobody gets news that are days old because a server catches up.

const NEWS_DAYS = 3;
/** A payment may come days after its period began, when a card is tried again. */
const PAYMENT_NEWS_DAYS = 7;

/** Queues the receipt of an order that was paid just now. */
export async function queueOrderReceipt(
  { id: orderId, userId, paidAt }: { id: string; userId: string; paidAt: Date | null },
  transaction: Transaction,
): Promise<void> {
  if (!paidAt || isOldNews(paidAt)) return;
  await queueEmail(
    { kind: "receipt", userId, data: { orderId }, key: `receipt:order:${orderId}` },
    transaction,
  );
}

const isOldNews = (at: Date) => Date.now() - at.getTime() > NEWS_DAYS * 24 * 60 * 60_000;

/** Queues the receipt of a subscription's payment, named by the provider's id. */
export async function queuePaymentReceipt(
  { provider, userId }: Pick<Subscription, "provider" | "userId">,
  providerPaymentId: string | null,
  transaction: Transaction,
): Promise<void> {
  const [payment] = await transaction.$queryRaw<{ id: string }[]>`
    SELECT id FROM subscription_periods
    WHERE provider = ${provider} AND provider_payment_id = ${providerPaymentId}
      AND kind <> 'trial' AND amount > 0
      AND starts_at > now() - make_interval(days => ${PAYMENT_NEWS_DAYS})`;
  if (!payment) return;
  const { id: paymentId } = payment;
  await queueEmail(
    { kind: "receipt", userId, data: { paymentId }, key: `receipt:payment:${paymentId}` },
    transaction,
  );
}

/** A subscription's state before or after a change. */
interface State {
  status: SubscriptionStatus;
  cancelAtPeriodEnd: boolean;
}

const RUNNING: SubscriptionStatus[] = ["trialing", "active", "past_due", "unpaid", "paused"];

/**
 * Queues what a change of a locked subscription is worth telling: a failed payment, or its end. The key
 * names the fact: whichever writes or events tell of it, and in whatever order, it is mailed once.
 */
export async function queueSubscriptionNews(
  row: Pick<Subscription, "id" | "userId"> & State,
  { occurredAt, ...now }: State & { currentPeriodEnd: Date | null; occurredAt: Date },
  transaction: Transaction,
): Promise<void> {
  if (isOldNews(occurredAt)) return;
  const { id: subscriptionId, userId } = row;
  const wasPaid = row.status === "active" || row.status === "trialing";
  const data = { subscriptionId };
  if (wasPaid && now.status === "past_due") {
    const paidUntil = await findPaidUntil(subscriptionId, transaction);
    const key = `payment_failed:${subscriptionId}:${keyOf(paidUntil)}`;
    await queueEmail({ kind: "payment_failed", userId, data, key }, transaction);
  }
  if (row.cancelAtPeriodEnd || !RUNNING.includes(row.status)) return;
  if (now.cancelAtPeriodEnd || now.status === "canceled") {
    const end = now.status === "canceled" ? "over" : keyOf(now.currentPeriodEnd);
    const key = `subscription_ending:${subscriptionId}:${end}`;
    await queueEmail({ kind: "subscription_ending", userId, data, key }, transaction);
  }
}

const keyOf = (at: Date | null) => at?.toISOString() ?? "unknown";

/**
 * The end of the last period that was paid: the payment that failed is the one after it. The row's own
 * period may have moved on already, or not yet.
 */
async function findPaidUntil(
  subscriptionId: string,
  transaction: Transaction,
): Promise<Date | null> {
  const { _max: max } = await transaction.subscriptionPeriod.aggregate({
    where: { subscriptionId },
    _max: { endsAt: true },
  });
  return max.endsAt;
}
