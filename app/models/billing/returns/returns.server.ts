import type { Transaction } from "~/db.server";
import type { PaymentProviderName } from "~/env/payments";
import { findReturned } from "~/models/billing/returns/find-returned.server";
import { mayBeOurs } from "~/models/billing/returns/known-returns.server";
import { isShareKnown, matchPeriod } from "~/models/billing/returns/match-period.server";
import { logReturn, matchKeptOf, type Returned } from "~/models/billing/returns/return-log.server";
import { lockOrder, settleOrder } from "~/models/billing/returns/settle-order.server";
import { settleSubscription } from "~/models/billing/returns/settle-subscription.server";
import type { PaymentReturned } from "~/services/payments/billing-event";
import { log } from "~/utils/logger.server";

/**
 * Applies a refund or a dispute to the order or the paid period whose payment goes back. One that matches
 * nothing, or doesn't say what was charged, is kept until its payment comes. If it may be ours, it is
 * logged as an error: somebody may hold credits that were paid back.
 */
export async function applyReturn(
  { provider, event }: { provider: PaymentProviderName; event: PaymentReturned },
  transaction: Transaction,
): Promise<void> {
  const { payment, currency } = event;
  const found = await findReturned({ provider, payment, currency, guess: true }, transaction);
  const returned = found && (await lockReturned(found, transaction));
  const isKnown = returned && (await isShareKnown({ provider, event, returned }, transaction));
  const owner = isKnown ? returned : null;
  const isLogged = await logReturn({ provider, event, returned: owner }, transaction);
  if (owner && isLogged) {
    await matchPeriod({ event, returned: owner }, transaction);
    await matchKeptOf({ provider, event, returned: owner }, transaction);
    await settleReturned(owner, transaction);
    return;
  }
  const { paymentId, customerId, providerSubscriptionId } = payment;
  const facts = { provider, paymentId, customerId, subscriptionId: providerSubscriptionId };
  if (!isLogged || !paymentId)
    log().error(facts, `a ${event.of} that doesn't name its payment: look it up at the provider`);
  else if (await mayBeOurs({ provider, paymentId }, transaction))
    log().error(
      facts,
      `a ${event.of} of a payment that is unknown here: kept until it comes, see npm run billing -- returns`,
    );
  else log().info(facts, `a ${event.of} of a payment that nothing here tells of: kept`);
}

/** Locks what is settled, in the order of all locks. */
export async function lockReturned(
  returned: Returned,
  transaction: Transaction,
): Promise<Returned> {
  if (returned.of === "order") await lockOrder(returned.orderId, transaction);
  else
    await transaction.$queryRaw`
      SELECT 1 AS locked FROM subscriptions WHERE id = ${returned.subscriptionId}::uuid FOR UPDATE`;
  return returned;
}

/** Settles a locked order or the subscription of a period. */
export async function settleReturned(returned: Returned, transaction: Transaction): Promise<void> {
  if (returned.of === "period") await settleSubscription(returned.subscriptionId, transaction);
  else await settleOrder(await lockOrder(returned.orderId, transaction), transaction);
}
