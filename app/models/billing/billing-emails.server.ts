import type { Transaction } from "~/db.server";
import { getEnv } from "~/env.server";
import { Prisma, type Subscription } from "~/generated/prisma/client";
import type { SubscriptionStatus } from "~/generated/prisma/enums";
import { queueEmail, wantsEmail } from "~/models/emails/outbox.server";

// Each call stands in the transaction of the effect that it tells of. Copies of an event, replays and
// reconciliation repeat effects, so keys and changes of state decide that each email is sent once; and
// nobody gets news that are days old because a server catches up.

const NEWS_DAYS = 3;
/** A payment may come days after its period began, when a card is tried again. */
const PAYMENT_NEWS_DAYS = 7;

/** Queues the receipt of an order that was paid just now. */
export async function queueOrderReceipt(orderId: string, transaction: Transaction): Promise<void> {
  const [order] = await transaction.$queryRaw<{ userId: string }[]>`
    SELECT user_id AS "userId" FROM orders
    WHERE id = ${orderId}::uuid AND paid_at > now() - make_interval(days => ${NEWS_DAYS})`;
  if (!order) return;
  await queueEmail(
    { kind: "receipt", userId: order.userId, data: { orderId }, key: `receipt:order:${orderId}` },
    transaction,
  );
}

/**
 * SQL: the step of a statement that queues the receipt of the order in the step `ordered`, which was paid
 * just now. Does what `queueOrderReceipt` does.
 */
export function orderReceiptStep(): Prisma.Sql {
  return Prisma.sql`
    receipt AS (
      INSERT INTO outbox_emails (user_id, kind, key, recipient, locale, data)
      SELECT users.id, 'receipt', 'receipt:order:' || ordered.id, users.email, users.locale,
        jsonb_build_object('orderId', ordered.id)
      FROM ordered JOIN users ON users.id = ordered.user_id
      WHERE ${getEnv().email !== null}::boolean AND ${wantsEmail("receipt")}
      ON CONFLICT (key) DO NOTHING
      RETURNING outbox_emails.id
    )`;
}

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

/** Queues what a change of a locked subscription is worth telling: a failed payment, or its end. */
export async function queueSubscriptionNews(
  row: Pick<Subscription, "id" | "userId"> & State,
  { occurredAt, ...now }: State & { occurredAt: Date },
  transaction: Transaction,
): Promise<void> {
  if (Date.now() - occurredAt.getTime() > NEWS_DAYS * 24 * 60 * 60_000) return;
  const { id: subscriptionId, userId } = row;
  const wasPaid = row.status === "active" || row.status === "trialing";
  if (wasPaid && now.status === "past_due")
    await queueEmail({ kind: "payment_failed", userId, data: { subscriptionId } }, transaction);
  if (row.cancelAtPeriodEnd || !RUNNING.includes(row.status)) return;
  if (now.cancelAtPeriodEnd || now.status === "canceled") {
    await queueEmail(
      { kind: "subscription_ending", userId, data: { subscriptionId } },
      transaction,
    );
  }
}
