import { type Database, getDb, type Transaction } from "~/db.server";
import { failBusy, type ProviderOf } from "~/models/billing/cancellations/cancellations.server";
import { inTurn } from "~/models/billing/changes/in-turn.server";
import { applyBillingEvents } from "~/models/billing/effects.server";
import { settleSubscription } from "~/models/billing/returns/settle-subscription.server";
import {
  findOwnSubscription,
  type OwnSubscription,
} from "~/models/billing/subscriptions/management.server";
import { providerError } from "~/services/payments/payment-faults";
import { subscriptionEnded } from "~/services/payments/subscription-ended";
import { log } from "~/utils/logger.server";

export type EndedNow =
  /** It is over. `credits` were taken back of its running month. */
  | {
      status: "ended";
      credits: number;
      /** It ended by this. */
      wasRunning: boolean;
      /** The provider doesn't have it, so it has ended here alone. */
      isUnknownThere: boolean;
    }
  /** The user has no such subscription. */
  | { status: "not_found" };

type Ended = EndedNow & { status: "ended" };

interface Ending {
  userId: string;
  /** Ours. */
  subscriptionId: string;
  /** Writes that it is asked for, before the provider is: its answer may be lost, and so may this process. */
  ask: (transaction: Transaction) => Promise<void>;
  /** Writes of the end, in its transaction. */
  record: (ended: Ended, transaction: Transaction) => Promise<void>;
}

/**
 * Ends a subscription at its provider at once, and takes back what is left of its running month, and what comes back to that
 * later, of a run that is refunded. Spent credits stay spent. The row says so before the provider is asked: whoever hears of the end
 * first, this process, the provider's event or reconcile, takes the month, once. Of one that has ended, it takes what is left.
 * Nothing is paid back: that is a refund at the provider, which then takes nothing twice.
 * @throws AppError 502 provider_error, 503 payments_unavailable: nothing was taken, unless the provider ended it all the same
 */
export async function endSubscriptionNow(
  { userId, subscriptionId, ask, record }: Ending,
  providerOf: ProviderOf,
  db: Database = getDb(),
): Promise<EndedNow> {
  const result = await inTurn<EndedNow>(
    userId,
    async () => {
      const subscription = await findOwnSubscription(userId, db, subscriptionId);
      if (!subscription) return { status: "not_found" };
      const isRunning = subscription.status !== "canceled";
      const askedAt = await noteAsked(subscription.id, isRunning ? ask : null, db);
      const end = isRunning ? await endAtOnce(subscription, providerOf) : null;
      return recordEnd({ subscription, askedAt, end, record }, db);
    },
    db,
  );
  return result ?? failBusy();
}

/** Returns the database's time, as text: its own is finer than this process's. */
function noteAsked(id: string, ask: Ending["ask"] | null, db: Database): Promise<string> {
  return db.$transaction(async (transaction) => {
    const [noted] = await transaction.$queryRaw<{ at: string }[]>`
      UPDATE subscriptions SET end_asked_at = now() WHERE id = ${id}::uuid
      RETURNING end_asked_at::text AS at`;
    if (!noted) throw new Error(`subscriptions: ${id} is gone`);
    await ask?.(transaction);
    return noted.at;
  });
}

interface End {
  /** By the provider, or now. */
  endedAt: Date;
  isUnknownThere: boolean;
}

async function endAtOnce(
  { id, provider, providerSubscriptionId }: OwnSubscription,
  providerOf: ProviderOf,
): Promise<End> {
  const request = { providerSubscriptionId, when: "now" } as const;
  const result = await providerOf(provider).cancelSubscription(request);
  if (result.status === "scheduled")
    throw providerError(new Error(`subscription ${providerSubscriptionId} goes on`));
  const isUnknownThere = result.status === "not_found";
  if (isUnknownThere)
    log().error(
      { provider, subscriptionId: id },
      "the provider does not have this subscription, so it has ended here",
    );
  const endedAt = (result.status === "ended" ? result.endedAt : null) ?? new Date();
  return { endedAt, isUnknownThere };
}

function recordEnd(
  {
    subscription: { id, userId, provider, providerSubscriptionId },
    askedAt,
    end,
    record,
  }: { subscription: OwnSubscription; askedAt: string; end: End | null } & Pick<Ending, "record">,
  db: Database,
): Promise<EndedNow> {
  return db.$transaction(
    async (transaction) => {
      if (end) {
        const events = [subscriptionEnded({ providerSubscriptionId, endedAt: end.endedAt })];
        await applyBillingEvents({ provider, events }, transaction);
      }
      await transaction.$queryRaw`
        SELECT 1 AS locked FROM subscriptions WHERE id = ${id}::uuid FOR UPDATE`;
      await settleSubscription(id, transaction);
      const ended = {
        status: "ended",
        credits: await sumTaken({ userId, subscriptionId: id, askedAt }, transaction),
        wasRunning: end !== null,
        isUnknownThere: end?.isUnknownThere ?? false,
      } as const;
      if (ended.wasRunning || ended.credits > 0) await record(ended, transaction);
      return ended;
    },
    { timeout: 30_000 },
  );
}

/** The credits that this end took, whoever heard of it first. */
async function sumTaken(
  { userId, subscriptionId, askedAt }: { userId: string; subscriptionId: string; askedAt: string },
  transaction: Transaction,
): Promise<number> {
  const [taken] = await transaction.$queryRaw<{ credits: number }[]>`
    SELECT coalesce(-sum(amount), 0)::int AS credits FROM credit_transactions
    WHERE user_id = ${userId}::uuid AND type = 'reversal' AND source LIKE '%:surplus:ended%'
      AND created_at >= ${askedAt}::timestamptz
      AND reference IN (
        SELECT id::text FROM subscription_periods WHERE subscription_id = ${subscriptionId}::uuid)`;
  return taken?.credits ?? 0;
}
