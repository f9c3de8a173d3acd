import type { Transaction } from "~/db.server";
import type { PaymentProviderName } from "~/env/payments";
import { recordPackCheckout } from "~/models/billing/orders/pack-checkouts.server";
import { lockTopUp } from "~/models/billing/top-ups/attempts.server";
import { keepCard } from "~/models/billing/top-ups/terms.server";
import { turnOffTopUp } from "~/models/billing/top-ups/turn-off.server";
import { addJob } from "~/models/jobs/add-job.server";
import type {
  CardKept,
  PaymentReturned,
  TopUpFailed,
  TopUpPaid,
} from "~/services/payments/billing-event";
import { topUpCheckoutId } from "~/services/payments/top-up-checkout";
import { log } from "~/utils/logger.server";
import { toMinorUnits } from "~/utils/money";

/**
 * A kept card was charged: makes the order and grants its credits, like a checkout's, whatever the attempt's row says. One
 * that this database doesn't have, as after the restore of an older backup, was paid all the same.
 */
export async function applyTopUpPaid(
  { provider, event }: { provider: PaymentProviderName; event: TopUpPaid },
  transaction: Transaction,
): Promise<void> {
  const { topUpId, paymentId, customerId, amount, currency, metadata } = event;
  const checkoutId = topUpCheckoutId(topUpId);
  // A copy of the event finds the order, and orders are locked before top-ups.
  await transaction.$queryRaw`SELECT 1 FROM users WHERE id = ${metadata.userId}::uuid FOR KEY SHARE`;
  const [order] = await transaction.$queryRaw<{ paymentId: string | null }[]>`
    SELECT provider_payment_id AS "paymentId" FROM orders
    WHERE provider = ${provider} AND provider_checkout_id = ${checkoutId} FOR UPDATE`;
  if (order?.paymentId && order.paymentId !== paymentId)
    log().error(
      { topUpId, paymentId, earlier: order.paymentId },
      "a top-up was charged twice: refund the second payment at the provider",
    );
  const topUp = await lockTopUp(topUpId, transaction);
  if (!topUp) log().warn({ topUpId, paymentId }, "a top-up was paid that is unknown here");
  const isAsAsked =
    topUp?.currency === currency &&
    toMinorUnits(topUp.amount) === amount &&
    topUp.skuKey === metadata.skuKey;
  await recordPackCheckout(
    {
      provider,
      agreed: isAsAsked ? topUp : null,
      event: {
        kind: "checkout_completed",
        checkoutId,
        ...{ mode: "payment", paymentStatus: "paid", paymentId, customerId },
        ...{ subscriptionId: null, productId: null, amount, currency, metadata },
        listed: { amount, currency },
      },
    },
    transaction,
  );
  await transaction.$executeRaw`
    UPDATE top_ups SET status = 'paid', provider_payment_id = ${paymentId}, reason = NULL,
      asked_at = coalesce(asked_at, now()), settled_at = now()
    WHERE id = ${topUpId}::uuid AND status <> 'paid'`;
}

/** A kept card wasn't charged. A job asks the provider why, since a payment may have to be cancelled there. */
export async function applyTopUpFailed(
  { event: { topUpId, paymentId } }: { event: TopUpFailed },
  transaction: Transaction,
): Promise<void> {
  const open = await transaction.$executeRaw`
    UPDATE top_ups SET provider_payment_id = ${paymentId}
    WHERE id = ${topUpId}::uuid AND status IN ('asked', 'unknown')`;
  if (open > 0) await addJob("top-ups", { topUpId }, transaction);
}

/** A page of ours kept a card. */
export async function applyCardKept(
  { event }: { event: CardKept },
  transaction: Transaction,
): Promise<void> {
  const { requestId, customerId, paymentMethodId, metadata } = event;
  await keepCard(
    { accountId: metadata.userId, requestId, customerId, paymentMethodId },
    transaction,
  );
}

/**
 * A bank took money back from a customer's payment: nothing more is charged without them, and a page on which they are about to agree
 * for the first time keeps no card.
 */
export async function endTopUpsOf(
  { provider, event }: { provider: PaymentProviderName; event: PaymentReturned },
  transaction: Transaction,
): Promise<void> {
  if (event.of !== "dispute" || (event.state !== "open" && event.state !== "lost")) return;
  const owners = await transaction.$queryRaw<{ accountId: string }[]>`
    SELECT DISTINCT settings.account_id AS "accountId"
    FROM payment_returns
      LEFT JOIN orders ON orders.id = order_id
      LEFT JOIN subscription_periods period ON period.id = period_id
      LEFT JOIN subscriptions ON subscriptions.id = period.subscription_id
      JOIN account_settings settings ON settings.account_id = coalesce(orders.user_id, subscriptions.user_id)
    WHERE payment_returns.provider = ${provider} AND provider_return_id = ${event.returnId}
      AND payment_returns.state IN ('open', 'lost') 
      AND (settings.agreed_at IS NULL OR coalesce(disputed_at, heard_at) > settings.agreed_at)`;
  for (const { accountId } of owners) {
    await transaction.$queryRaw`SELECT 1 FROM users WHERE id = ${accountId}::uuid FOR KEY SHARE`;
    await turnOffTopUp({ accountId, reason: "dispute" }, transaction);
  }
}
