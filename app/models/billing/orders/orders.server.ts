import { type DatabaseOrTransaction, getDb } from "~/db.server";
import type { Prisma } from "~/generated/prisma/client";
import { toMinorUnits } from "~/utils/money";
import { isUuid } from "~/utils/uuid";

/** The source of an order's grant. */
export function orderSource(provider: string, checkoutId: string): string {
  return `order:${provider}:${checkoutId}`;
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
