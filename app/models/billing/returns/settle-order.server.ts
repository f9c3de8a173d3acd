import type { Transaction } from "~/db.server";
import type { PaymentProviderName } from "~/env/payments";
import type { OrderStatus } from "~/generated/prisma/enums";
import { giveBack } from "~/models/billing/returns/give-back.server";
import {
  amountsAway,
  chargedIn,
  type ReturnRow,
  returnedShare,
  sumReturned,
} from "~/models/billing/shares/returned-share";
import { isAll, portionOf, type Share } from "~/models/billing/shares/share";
import { IS_ORDER_TOTAL } from "~/models/billing/shares/total-rows.server";
import { freeSource } from "~/models/credits/free-source.server";
import { reverseLots } from "~/models/credits/reversals.server";

interface SettledOrder {
  id: string;
  userId: string;
  provider: PaymentProviderName;
  providerCheckoutId: string;
  providerPaymentId: string | null;
  /** Whether its credits were granted; a pending order has no lot. */
  paid: boolean;
  credits: number;
  amount: number;
  currency: string;
  creditsReversed: number;
  creditsShort: number;
}

/** Locks an order. Throws if it is gone. */
export async function lockOrder(id: string, transaction: Transaction): Promise<SettledOrder> {
  const [order] = await transaction.$queryRaw<SettledOrder[]>`
    SELECT id, user_id AS "userId", provider, provider_checkout_id AS "providerCheckoutId",
      provider_payment_id AS "providerPaymentId", paid_at IS NOT NULL AS paid, credits,
      amount::float8, currency, credits_reversed AS "creditsReversed",
      credits_short AS "creditsShort"
    FROM orders WHERE id = ${id}::uuid FOR UPDATE`;
  if (!order) throw new Error(`orders: ${id} is gone`);
  return order;
}

/**
 * Brings an order's credits to the share of its payment that is not away. Takes them from the order's
 * own lots only, and no more than these hold; the rest is the order's shortfall, which credits that come
 * back into these lots pay first. When money comes back, the shortfall ends first, and then credits are
 * given back. Nothing changes if it is done again. The caller has locked the order.
 */
export async function settleOrder(order: SettledOrder, transaction: Transaction): Promise<void> {
  const { id, paid, credits, creditsReversed } = order;
  const returns = await listReturns(id, transaction);
  const share = returnedShare(returns, { ...order, parts: null });
  if (!share) throw new Error(`order ${id}: its returns don't say what was charged`);
  const { refund, dispute } = amountsAway(returns, order);
  const wanted = paid ? portionOf(credits, share) : 0;
  const sum = sumOf(returns, order);
  const change = paid ? await moveCredits(order, { wanted, sum }, transaction) : 0;
  const reversed = creditsReversed + change;
  await transaction.order.updateMany({
    where: { id },
    data: {
      amountRefunded: refund,
      amountDisputed: dispute,
      creditsReversed: reversed,
      creditsShort: wanted - reversed,
      status: statusOf({ paid, share, refund, dispute }),
    },
  });
}

/** The sum that names a reversal: of each currency at most what was charged in it. */
function sumOf(returns: readonly ReturnRow[], { provider, amount }: SettledOrder): number {
  let sum = 0;
  for (const currency of new Set(returns.map((row) => row.currency))) {
    const { refund, dispute } = sumReturned(returns, provider, { currency });
    sum += Math.min(refund + dispute, chargedIn(returns, currency) ?? amount);
  }
  return sum;
}

/** The change of what is taken back, in credits. */
async function moveCredits(
  order: SettledOrder,
  { wanted, sum }: { wanted: number; sum: number },
  transaction: Transaction,
): Promise<number> {
  const { id, userId, provider, providerCheckoutId, providerPaymentId, creditsReversed } = order;
  const due = wanted - creditsReversed;
  if (due === 0) return 0;
  if (due < 0) {
    const paymentId = providerPaymentId ?? providerCheckoutId;
    const lot = { userId, amount: -due, expiresAt: null, reference: id };
    await giveBack({ ...lot, provider, paymentId }, transaction);
    return due;
  }
  const source = `reversal:${provider}:${providerCheckoutId}:${sum}`;
  return reverseLots(
    {
      userId,
      lots: { references: [id], running: false },
      amount: due,
      source: await freeSource(source, transaction),
      reference: id,
    },
    transaction,
  );
}

async function listReturns(orderId: string, transaction: Transaction): Promise<ReturnRow[]> {
  return transaction.$queryRaw`
    SELECT provider_return_id AS "providerReturnId", ${IS_ORDER_TOTAL} AS "isTotal", kind,
      returned.provider_payment_id AS "providerPaymentId", state, returned.amount::float8,
      charged_amount::float8 AS "chargedAmount", returned.currency
    FROM payment_returns returned JOIN orders ON orders.id = order_id
    WHERE order_id = ${orderId}::uuid ORDER BY heard_at, returned.id`;
}

function statusOf({
  paid,
  share,
  refund,
  dispute,
}: {
  paid: boolean;
  share: Share;
  refund: number;
  dispute: number;
}): OrderStatus {
  if (!paid) return "pending";
  if (dispute > 0) return "disputed";
  if (refund === 0) return "paid";
  return isAll(share) ? "refunded" : "partially_refunded";
}
