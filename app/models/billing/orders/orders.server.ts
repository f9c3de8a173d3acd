import { findPack } from "~/catalog";
import { type DatabaseOrTransaction, getDb, type Transaction } from "~/db.server";
import type { PaymentProviderName } from "~/env/payments";
import type { Prisma } from "~/generated/prisma/client";
import { queueOrderReceipt } from "~/models/billing/billing-emails.server";
import { describePackMismatch } from "~/models/billing/orders/pack-match.server";
import { grantCredits } from "~/models/credits/grants.server";
import { type CheckoutCompleted, isSettled } from "~/services/payments/billing-event";
import { log } from "~/utils/logger.server";
import { toMinorUnits } from "~/utils/money";
import { isUuid } from "~/utils/uuid";

/** The source of an order's grant. */
export function orderSource(provider: string, checkoutId: string): string {
  return `order:${provider}:${checkoutId}`;
}

/**
 * Records a completed checkout of a pack and, once it is paid, grants its credits: one order per
 * checkout, one grant per order. A checkout that a promotion code made free is a paid order of 0. A checkout without our metadata is not ours and is ignored. One with
 * our metadata throws if the catalog lacks the pack, or sells it as another product or at a higher
 * price. Returns whether it is paid.
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

const ORDER = {
  id: true,
  provider: true,
  providerPaymentId: true,
  skuKey: true,
  credits: true,
  amount: true,
  currency: true,
  amountRefunded: true,
  amountDisputed: true,
  creditsReversed: true,
  status: true,
  createdAt: true,
  paidAt: true,
} satisfies Prisma.OrderSelect;

type OrderRow = Prisma.OrderGetPayload<{ select: typeof ORDER }>;

/** An order as its owner sees it. Amounts in minor units. */
export type Order = WithNumberAmounts<OrderRow>;

interface Amounts {
  amount: bigint;
  amountRefunded: bigint;
  amountDisputed: bigint;
}

type WithNumberAmounts<Row extends Amounts> = Omit<Row, keyof Amounts> &
  Record<keyof Amounts, number>;

/** An order's row with its amounts as numbers, as everything but the database uses them. */
export function withNumberAmounts<Row extends Amounts>(row: Row): WithNumberAmounts<Row> {
  return {
    ...row,
    amount: toMinorUnits(row.amount),
    amountRefunded: toMinorUnits(row.amountRefunded),
    amountDisputed: toMinorUnits(row.amountDisputed),
  };
}

/** The owner's orders, newest first. */
export async function listOrders(
  { userId, limit }: { userId: string; limit: number },
  db: DatabaseOrTransaction = getDb(),
): Promise<Order[]> {
  const rows = await db.order.findMany({
    where: { userId },
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
    take: limit,
    select: ORDER,
  });
  return rows.map(withNumberAmounts);
}

/** The owner's order; null for somebody else's order or a malformed id. */
export async function getOrder(
  { orderId, userId }: { orderId: string; userId: string },
  db: DatabaseOrTransaction = getDb(),
): Promise<Order | null> {
  if (!isUuid(orderId)) return null;
  const row = await db.order.findFirst({ where: { id: orderId, userId }, select: ORDER });
  return row && withNumberAmounts(row);
}
