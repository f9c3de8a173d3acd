import type { Transaction } from "~/db.server";
import type { PaymentProviderName } from "~/env/payments";
import { findReturned } from "~/models/billing/returns/find-returned.server";
import { mayBeOurs } from "~/models/billing/returns/known-returns.server";
import {
  type GuessedPeriod,
  listGuessed,
  matchOthersOf,
} from "~/models/billing/returns/match-others.server";
import { isShareKnown, matchPeriod } from "~/models/billing/returns/match-period.server";
import { logReturn, type Returned } from "~/models/billing/returns/return-log.server";
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
  const { paymentId, customerId, providerSubscriptionId } = payment;
  const earlier = found
    ? await lockOwners({ provider, paymentId, returned: found }, transaction)
    : [];
  const isKnown = found && (await isShareKnown({ provider, event, returned: found }, transaction));
  const owner = isKnown ? found : null;
  const isLogged = await logReturn({ provider, event, returned: owner }, transaction);
  if (owner && isLogged) {
    await moveReturns({ provider, event, returned: owner, earlier }, transaction);
    return;
  }
  const facts = { provider, paymentId, customerId, subscriptionId: providerSubscriptionId };
  if (!isLogged || !paymentId)
    log().error(facts, `a ${event.of} that doesn't name its payment: look it up at the provider`);
  else if (found)
    log().error(
      { ...facts, currency },
      `a ${event.of} in another currency than its sale: kept until somebody says what was charged in it, see npm run billing -- returns`,
    );
  else if (await mayBeOurs({ provider, paymentId }, transaction))
    log().error(
      facts,
      `a ${event.of} of a payment that is unknown here: kept until it comes, see npm run billing -- returns`,
    );
  else log().info(facts, `a ${event.of} of a payment that nothing here tells of: kept`);
}

/**
 * Locks the order or period whose payment goes back, and the periods that returns of this payment were
 * matched to by guess before. Returns the latter. All are locked before one is settled, which locks the
 * credit account.
 */
export async function lockOwners(
  {
    provider,
    paymentId,
    returned,
  }: { provider: PaymentProviderName; paymentId: string | null; returned: Returned },
  transaction: Transaction,
): Promise<GuessedPeriod[]> {
  const earlier = await listGuessed({ provider, paymentId, returned }, transaction);
  await lockAllReturned([returned, ...earlier], transaction);
  return earlier;
}

/** Locks all that is settled, in the order of all locks. */
export async function lockAllReturned(
  owners: readonly Returned[],
  transaction: Transaction,
): Promise<void> {
  for (const owner of owners.toSorted(byLockOrder)) await lockReturned(owner, transaction);
}

const byLockOrder = (a: Returned, b: Returned) => (lockKey(a) < lockKey(b) ? -1 : 1);

const lockKey = (owner: Returned) =>
  owner.of === "period" ? `1:${owner.subscriptionId}` : `2:${owner.orderId}`;

/**
 * Matches all returns of a payment to its order or period, and settles that and what they were matched
 * to by guess before. The caller has locked these.
 */
export async function moveReturns(
  {
    provider,
    event,
    returned,
    earlier,
  }: {
    provider: PaymentProviderName;
    event: PaymentReturned;
    returned: Returned;
    earlier: GuessedPeriod[];
  },
  transaction: Transaction,
): Promise<void> {
  await matchPeriod({ event, returned }, transaction);
  await matchOthersOf({ provider, event, returned, earlier }, transaction);
  for (const owner of [returned, ...earlier]) await settleReturned(owner, transaction);
}

async function lockReturned(returned: Returned, transaction: Transaction): Promise<void> {
  if (returned.of === "order") await lockOrder(returned.orderId, transaction);
  else
    await transaction.$queryRaw`
      SELECT 1 AS locked FROM subscriptions WHERE id = ${returned.subscriptionId}::uuid FOR UPDATE`;
}

/** Settles a locked order or the subscription of a period. */
export async function settleReturned(returned: Returned, transaction: Transaction): Promise<void> {
  if (returned.of === "period") await settleSubscription(returned.subscriptionId, transaction);
  else await settleOrder(await lockOrder(returned.orderId, transaction), transaction);
}
