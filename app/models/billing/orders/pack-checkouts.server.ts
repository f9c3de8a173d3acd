import { findPack } from "~/catalog";
import type { Transaction } from "~/db.server";
import type { PaymentProviderName } from "~/env/payments";
import { Prisma } from "~/generated/prisma/client";
import { orderReceiptStep, queueOrderReceipt } from "~/models/billing/billing-emails.server";
import { orderSource } from "~/models/billing/orders/orders.server";
import { describePackMismatch } from "~/models/billing/orders/pack-match.server";
import { grantCredits } from "~/models/credits/grants.server";
import { type CheckoutCompleted, isSettled } from "~/services/payments/billing-event";
import { log } from "~/utils/logger.server";

/**
 * Records a completed checkout of a pack and, once it is paid, grants its credits: one order per
 * checkout, one grant per order. A checkout that a promotion code made free is a paid order of 0. A
 * checkout without our metadata is not ours and is ignored. One with our metadata throws if the catalog
 * lacks the pack, or sells it as another product or at a higher price. Returns whether it is paid.
 */
export async function recordPackCheckout(
  { provider, event }: { provider: PaymentProviderName; event: CheckoutCompleted },
  transaction: Transaction,
): Promise<boolean> {
  const { metadata, checkoutId } = event;
  if (!metadata) return false;
  const pack = findPack(metadata.skuKey ?? "");
  if (!pack) throw new Error(`checkout ${checkoutId}: the catalog has no pack ${metadata.skuKey}`);
  const mismatch = describePackMismatch(provider, event, pack);
  if (mismatch) throw new Error(`checkout ${checkoutId} is malformed: ${mismatch}`);
  const paid = isSettled(event);
  const status = paid ? "paid" : "pending";
  if (!paid) log().warn({ provider, checkoutId }, "a completed checkout is not paid");
  // Credits keep the amount first recorded: the catalog may have changed since.
  const [order] = await transaction.$queryRaw<{ id: string; userId: string; credits: number }[]>`
    INSERT INTO orders AS earlier (user_id, provider, provider_checkout_id, provider_payment_id,
      sku_key, credits, amount, currency, status, paid_at)
    VALUES (${metadata.userId}::uuid, ${provider}, ${checkoutId}, ${event.paymentId},
      ${pack.skuKey}, ${pack.credits}, ${event.amount}, ${event.currency},
      ${status}::order_status, CASE WHEN ${paid} THEN now() END)
    ON CONFLICT (provider, provider_checkout_id) DO UPDATE SET
      provider_payment_id = coalesce(earlier.provider_payment_id, excluded.provider_payment_id),
      status = CASE WHEN earlier.status = 'pending' THEN excluded.status ELSE earlier.status END,
      paid_at = coalesce(earlier.paid_at, excluded.paid_at)
    RETURNING id, user_id AS "userId", credits`;
  if (!order) throw new Error("orders: an upsert gave no row");
  if (!paid) return false;
  await grantCredits(
    {
      userId: order.userId,
      amount: order.credits,
      source: orderSource(provider, checkoutId),
      expiresAt: null,
      reference: order.id,
    },
    transaction,
  );
  await queueOrderReceipt(order.id, transaction);
  return true;
}

/**
 * SQL: the steps of a statement that records a paid checkout which nobody has seen before, grants its
 * credits and queues its receipt. They do nothing, and the step `lot` has no row, unless all is as it mostly is: the step
 * `claimed` has a row, the user is here, the order is new, and no money of this payment went back.
 * `recordPackCheckout` handles every other case. Null for a checkout that is unpaid, not ours or not as
 * the catalog sells it.
 *
 * Locks follow the global order, since each step selects from the one before: delivery, order, account.
 * The account is made or raised by one upsert, which reads the newest balance even after a wait. A lot
 * whose source is used raises an error, which undoes the statement.
 */
export function newPaidOrderSteps({
  provider,
  event,
}: {
  provider: PaymentProviderName;
  event: CheckoutCompleted;
}): Prisma.Sql | null {
  const { checkoutId, paymentId, amount, currency, metadata } = event;
  const pack = findPack(metadata?.skuKey ?? "");
  if (!metadata || !pack || !isSettled(event)) return null;
  if (describePackMismatch(provider, event, pack)) return null;
  return Prisma.sql`
    ordered AS (
      INSERT INTO orders (user_id, provider, provider_checkout_id, provider_payment_id, sku_key,
        credits, amount, currency, status, paid_at)
      SELECT users.id, ${provider}, ${checkoutId}, ${paymentId}::text, ${pack.skuKey},
        ${pack.credits}::int, ${amount}::bigint, ${currency}, 'paid', now()
      FROM claimed, users
      WHERE users.id = ${metadata.userId}::uuid AND NOT EXISTS (
        SELECT 1 FROM payment_returns
        WHERE provider = ${provider} AND provider_payment_id = ${paymentId}::text)
      ON CONFLICT (provider, provider_checkout_id) DO NOTHING
      RETURNING id, user_id, credits
    ),
    account AS (
      INSERT INTO credit_accounts AS account (user_id, balance)
      SELECT user_id, credits FROM ordered
      ON CONFLICT (user_id) DO UPDATE SET balance = account.balance + excluded.balance
      RETURNING user_id, balance
    ),
    lot AS (
      INSERT INTO credit_transactions
        (user_id, type, amount, balance_after, source, remaining, reference)
      SELECT user_id, 'grant', credits, balance, ${orderSource(provider, checkoutId)}, credits,
        ordered.id::text
      FROM ordered JOIN account USING (user_id)
      RETURNING id
    ),
    ${orderReceiptStep()}`;
}
