import type { Transaction } from "~/db.server";
import type { PaymentProviderName } from "~/env/payments";
import { orderSource, withNumberAmounts } from "~/models/billing/orders/orders.server";
import { returnedCredits, returnedInAll } from "~/models/billing/periods/returned-share";
import { freeSource } from "~/models/credits/free-source.server";
import { reverseLot } from "~/models/credits/reversals.server";
import type { Disputed, Refunded } from "~/services/payments/billing-event";

export interface LockedOrder
  extends Omit<LockedRow, "amount" | "amountRefunded" | "amountDisputed"> {
  /** Minor units. */
  amount: number;
  amountRefunded: number;
  amountDisputed: number;
}

interface LockedRow {
  id: string;
  userId: string;
  provider: string;
  providerCheckoutId: string;
  /** Whether its credits were granted; a pending order has no lot. */
  paid: boolean;
  credits: number;
  amount: bigint;
  currency: string;
  amountRefunded: bigint;
  amountDisputed: bigint;
  creditsReversed: number;
  creditsShort: number;
}

/**
 * Takes back the refunded or disputed part of an order's credits. Takes them from the order's own lot
 * only, and no more than it holds; the rest is recorded as the order's shortfall. Uses the provider's
 * cumulative figures, so a lower figure that arrives late changes nothing. False if no order has this
 * payment. Throws if the order is not paid: its own event is still to come.
 */
export async function returnOrderPayment(
  { provider, event }: { provider: PaymentProviderName; event: Refunded | Disputed },
  transaction: Transaction,
): Promise<boolean> {
  const { paymentId, checkoutId } = event;
  const order = await lockOrder({ provider, paymentId, checkoutId }, transaction);
  if (!order) return false;
  if (!order.paid) throw new Error(`order ${order.id} was ${event.kind} and is not paid yet`);
  const refunded =
    event.kind === "refunded"
      ? Math.max(order.amountRefunded, event.amountRefunded)
      : order.amountRefunded;
  const disputed =
    event.kind === "disputed" ? Math.max(order.amountDisputed, event.amount) : order.amountDisputed;
  const charged = chargedFor(order, event);
  const returned = returnedInAll(provider, { amountRefunded: refunded, amountDisputed: disputed });
  const wanted = returnedCredits(order.credits, { amount: charged, amountReturned: returned });
  const due = wanted - order.creditsReversed - order.creditsShort;
  const taken =
    due > 0
      ? await reverseLot(
          {
            userId: order.userId,
            lotSource: orderSource(order.provider, order.providerCheckoutId),
            amount: due,
            source: await freeSource(reversalSource(order, returned), transaction),
            reference: order.id,
          },
          transaction,
        )
      : 0;
  const short = Math.max(0, due) - taken;
  await transaction.$executeRaw`
    UPDATE orders SET amount_refunded = ${refunded}, amount_disputed = ${disputed},
      credits_reversed = credits_reversed + ${taken}, credits_short = credits_short + ${short},
      status = CASE
        WHEN ${disputed}::bigint > 0 THEN 'disputed'
        WHEN ${refunded}::bigint >= ${charged}::bigint THEN 'refunded'
        ELSE 'partially_refunded'
      END::order_status
    WHERE id = ${order.id}::uuid AND ${returned}::bigint > 0`;
  return true;
}

/**
 * Minor units of the event's currency. Throws if the amount is unknown: a dispute may be in another
 * currency.
 */
function chargedFor(order: LockedOrder, { chargedAmount, currency, kind }: Refunded | Disputed) {
  if (chargedAmount !== null) return chargedAmount;
  if (currency === order.currency) return order.amount;
  throw new Error(`order ${order.id} was ${kind} in ${currency} and paid in ${order.currency}`);
}

/** @param cumulative minor units that came back so far */
export function reversalSource(
  order: { provider: string; providerCheckoutId: string },
  cumulative: number | bigint,
): string {
  return `reversal:${order.provider}:${order.providerCheckoutId}:${cumulative}`;
}

/** Locks the order that a payment or a checkout belongs to; null if there is none. */
export async function lockOrder(
  key: { provider: string; paymentId: string | null; checkoutId: string | null },
  transaction: Transaction,
): Promise<LockedOrder | null> {
  const [order] = await transaction.$queryRaw<LockedRow[]>`
    SELECT id, user_id AS "userId", provider, provider_checkout_id AS "providerCheckoutId",
      paid_at IS NOT NULL AS paid, credits, amount, currency,
      amount_refunded AS "amountRefunded", amount_disputed AS "amountDisputed",
      credits_reversed AS "creditsReversed", credits_short AS "creditsShort"
    FROM orders
    WHERE provider = ${key.provider}
      AND (provider_payment_id = ${key.paymentId} OR provider_checkout_id = ${key.checkoutId})
    FOR UPDATE`;
  return order ? withNumberAmounts(order) : null;
}
