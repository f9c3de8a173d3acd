import { type DatabaseOrTransaction, getDb } from "~/db.server";
import { Prisma } from "~/generated/prisma/client";
import { isUuid } from "~/utils/uuid";

/** A subscription's payment as its owner sees it. Amounts in minor units. */
export interface Payment {
  id: string;
  provider: string;
  /** Stripe: the invoice. Creem: the transaction. Null until the provider has named it. */
  providerPaymentId: string | null;
  kind: "paid" | "upgrade";
  planKey: string;
  period: string;
  startsAt: Date;
  endsAt: Date;
  /** Null until the provider has said it. */
  amount: number | null;
  currency: string | null;
  amountReturned: number;
  /** Set once all of it was returned. */
  closedAt: Date | null;
}

// A trial costs nothing, so it is no payment.
const PAYMENTS = Prisma.sql`
  SELECT paid.id, paid.provider, provider_payment_id AS "providerPaymentId", kind::text,
    paid.plan_key AS "planKey", paid.period, starts_at AS "startsAt", ends_at AS "endsAt",
    amount::float8, currency, amount_returned::float8 AS "amountReturned", closed_at AS "closedAt"
  FROM subscription_periods paid JOIN subscriptions ON subscriptions.id = subscription_id
  WHERE kind <> 'trial'`;

/** The owner's payments for subscriptions, newest period first. */
export function listPayments(
  { userId, limit }: { userId: string; limit: number },
  db: DatabaseOrTransaction = getDb(),
): Promise<Payment[]> {
  return db.$queryRaw`
    ${PAYMENTS} AND user_id = ${userId}::uuid
    ORDER BY starts_at DESC, paid.id DESC LIMIT ${limit}`;
}

/** The owner's payment; null for somebody else's or a malformed id. */
export async function getPayment(
  { paymentId, userId }: { paymentId: string; userId: string },
  db: DatabaseOrTransaction = getDb(),
): Promise<Payment | null> {
  if (!isUuid(paymentId)) return null;
  const [payment] = await db.$queryRaw<Payment[]>`
    ${PAYMENTS} AND user_id = ${userId}::uuid AND paid.id = ${paymentId}::uuid`;
  return payment ?? null;
}

/** A page of the owner's payments, by id: for an export. */
export function pagePayments(
  { userId, after, limit }: { userId: string; after: string | null; limit: number },
  db: DatabaseOrTransaction = getDb(),
): Promise<Payment[]> {
  return db.$queryRaw`
    ${PAYMENTS} AND user_id = ${userId}::uuid AND (${after}::uuid IS NULL OR paid.id > ${after}::uuid)
    ORDER BY paid.id LIMIT ${limit}`;
}
