import type { Transaction } from "~/db.server";
import { reversalSource } from "~/models/billing/returns/order-reversals.server";
import { refundSpend } from "~/models/credits/refunds.server";
import { reverseLot } from "~/models/credits/reversals.server";

interface OrderBehind {
  id: string;
  userId: string;
  provider: string;
  providerCheckoutId: string;
  /** Minor units, refunded and disputed. */
  reversed: bigint;
  creditsShort: number;
  lotId: string;
  lotSource: string;
}

/**
 * Refunds a generation's credits into the lots they came from, once. If a lot's order was refunded in
 * the meantime and has a shortfall, the returned credits cover that first.
 */
export async function refundGeneration(
  refund: { source: string; amount?: number },
  transaction: Transaction,
): Promise<void> {
  // Orders are locked before the account, even without a shortfall: one could arise before the account
  // is locked.
  const orders = await lockOrdersBehind(refund.source, transaction);
  const refunded = await refundSpend(refund, transaction);
  if (refunded.status !== "refunded") return;
  for (const order of orders) {
    const returned = refunded.lots.find(({ lotId }) => lotId === order.lotId)?.amount ?? 0;
    const amount = Math.min(order.creditsShort, returned);
    if (amount > 0) await payShortfall({ order, amount, spend: refund.source }, transaction);
  }
}

async function payShortfall(
  { order, amount, spend }: { order: OrderBehind; amount: number; spend: string },
  transaction: Transaction,
): Promise<void> {
  const { userId, lotSource } = order;
  const source = `${reversalSource(order, order.reversed)}:${spend}`;
  const taken = await reverseLot(
    { userId, lotSource, amount, source, reference: order.id },
    transaction,
  );
  await transaction.$executeRaw`
    UPDATE orders SET credits_reversed = credits_reversed + ${taken},
      credits_short = credits_short - ${taken}
    WHERE id = ${order.id}::uuid`;
}

/** The orders that paid for the spend's credits, locked in the order of their ids. */
function lockOrdersBehind(spend: string, transaction: Transaction): Promise<OrderBehind[]> {
  return transaction.$queryRaw`
    SELECT orders.id, orders.user_id AS "userId", orders.provider,
      provider_checkout_id AS "providerCheckoutId", amount_refunded + amount_disputed AS reversed,
      credits_short AS "creditsShort", lot.id::text AS "lotId", lot.source AS "lotSource"
    FROM credit_transactions deduction
      JOIN credit_allocations allocation ON allocation.transaction_id = deduction.id
      JOIN credit_transactions lot ON lot.id = allocation.lot_id AND lot.source LIKE 'order:%'
      JOIN orders ON orders.provider = split_part(lot.source, ':', 2)
        AND orders.provider_checkout_id = substring(lot.source FROM '^order:[^:]+:(.*)$')
    WHERE deduction.source = ${spend} AND deduction.type = 'deduction'
    ORDER BY orders.id FOR UPDATE OF orders`;
}
