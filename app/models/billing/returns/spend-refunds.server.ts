import type { Transaction } from "~/db.server";
import { Prisma } from "~/generated/prisma/client";
import { lockOrder, settleOrder } from "~/models/billing/returns/settle-order.server";
import { settleSubscription } from "~/models/billing/returns/settle-subscription.server";
import { saleIdOf } from "~/models/credits/ids-in-rows.server";
import { refundSpend } from "~/models/credits/refunds.server";

/**
 * Refunds spends of one account into the lots they came from, each once. If money of a lot's payment went
 * back in the meantime and credits were missing then, the returned credits cover that first. So they do if the lot's month was
 * taken back, because its subscription was ended at once.
 */
export async function refundSpends(
  refunds: { source: string; amount?: number }[],
  transaction: Transaction,
): Promise<void> {
  const sources = refunds.map(({ source }) => source);
  // Locked before the account, even if nothing is owed: a debt could arise before the account is locked.
  const subscriptionIds = await lockSubscriptionsBehind(sources, transaction);
  const orderIds = await lockOrdersBehind(sources, transaction);
  let isRefunded = false;
  for (const refund of refunds)
    isRefunded = (await refundSpend(refund, transaction)).status === "refunded" || isRefunded;
  if (!isRefunded) return;
  for (const id of await listOwing(subscriptionIds, transaction))
    await settleSubscription(id, transaction);
  for (const id of orderIds) {
    const order = await lockOrder(id, transaction);
    if (order.creditsShort > 0) await settleOrder(order, transaction);
  }
}

/** The order or the period that a lot names; null for a lot that was given by hand. */
const SALE_ID = saleIdOf(Prisma.sql`lot.reference`);

/** The subscriptions whose periods paid for the spends' credits, locked in the order of their ids. */
async function lockSubscriptionsBehind(
  spends: string[],
  transaction: Transaction,
): Promise<string[]> {
  const rows = await transaction.$queryRaw<{ id: string }[]>`
    SELECT id FROM subscriptions WHERE id IN (
      SELECT subscription_id FROM credit_transactions deduction
        JOIN credit_allocations allocation ON allocation.transaction_id = deduction.id
        JOIN credit_transactions lot ON lot.id = allocation.lot_id
        JOIN subscription_periods paid ON paid.id = ${SALE_ID}
      WHERE deduction.source = ANY (${spends}::text[]) AND deduction.type = 'deduction'
    ) ORDER BY id FOR UPDATE`;
  return rows.map(({ id }) => id);
}

/** The orders that paid for the spends' credits, locked in the order of their ids. */
async function lockOrdersBehind(spends: string[], transaction: Transaction): Promise<string[]> {
  const rows = await transaction.$queryRaw<{ id: string }[]>`
    SELECT id FROM orders WHERE id IN (
      SELECT ${SALE_ID} FROM credit_transactions deduction
        JOIN credit_allocations allocation ON allocation.transaction_id = deduction.id
        JOIN credit_transactions lot ON lot.id = allocation.lot_id
      WHERE deduction.source = ANY (${spends}::text[]) AND deduction.type = 'deduction'
    ) ORDER BY id FOR UPDATE`;
  return rows.map(({ id }) => id);
}

/** Lists the subscriptions whose credits were missing when they were taken: of money that went back, or of a month taken back. */
async function listOwing(ids: string[], transaction: Transaction): Promise<string[]> {
  const periods = await transaction.subscriptionPeriod.findMany({
    where: { subscriptionId: { in: ids }, creditsShort: { gt: 0 } },
    select: { subscriptionId: true },
    distinct: ["subscriptionId"],
    orderBy: { subscriptionId: "asc" },
  });
  return periods.map(({ subscriptionId }) => subscriptionId);
}
