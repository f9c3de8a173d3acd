import { type Database, getDb, type Transaction } from "~/db.server";
import { failBusy, type ProviderOf } from "~/models/billing/cancellations/cancellations.server";
import { inTurn } from "~/models/billing/changes/in-turn.server";
import { applyBillingEvents } from "~/models/billing/effects.server";
import { takeRunningMonth } from "~/models/billing/periods/surplus.server";
import { settleSubscription } from "~/models/billing/returns/settle-subscription.server";
import {
  findOwnSubscription,
  type OwnSubscription,
} from "~/models/billing/subscriptions/management.server";
import { providerError } from "~/services/payments/payment-faults";
import { subscriptionEnded } from "~/services/payments/subscription-ended";

export type EndedNow =
  /** It is over. `credits` were taken back of its running month; `wasRunning` if it ended by this. */
  | { status: "ended"; credits: number; wasRunning: boolean }
  /** The user has no such subscription. */
  | { status: "not_found" };

interface Ending {
  userId: string;
  /** Ours. */
  subscriptionId: string;
  /** Writes of the end, in its transaction. */
  record: (ended: EndedNow & { status: "ended" }, transaction: Transaction) => Promise<void>;
}

/**
 * Ends a subscription at its provider at once, and takes back what is left of its running month. Spent credits stay spent. The
 * provider's event may come before or after, any number of times: the end is recorded once, and what was taken is not taken
 * again. Of one that has ended, it takes what is left. Nothing is paid back: that is a refund at the provider, which then takes
 * nothing twice.
 * @throws AppError 502 provider_error, 503 payments_unavailable: nothing was taken
 */
export async function endSubscriptionNow(
  { userId, subscriptionId, record }: Ending,
  providerOf: ProviderOf,
  db: Database = getDb(),
): Promise<EndedNow> {
  const result = await inTurn<EndedNow>(
    userId,
    async () => {
      const subscription = await findOwnSubscription(userId, db, subscriptionId);
      if (!subscription) return { status: "not_found" };
      const endedAt =
        subscription.status === "canceled" ? null : await endAtOnce(subscription, providerOf);
      return recordEnd({ subscription, endedAt, record }, db);
    },
    db,
  );
  return result ?? failBusy();
}

/** Returns when it ended, by the provider, or now. */
async function endAtOnce(
  { provider, providerSubscriptionId }: OwnSubscription,
  providerOf: ProviderOf,
): Promise<Date> {
  const request = { providerSubscriptionId, when: "now" } as const;
  const result = await providerOf(provider).cancelSubscription(request);
  if (result.status === "scheduled")
    throw providerError(new Error(`subscription ${providerSubscriptionId} goes on`));
  return (result.status === "ended" ? result.endedAt : null) ?? new Date();
}

function recordEnd(
  {
    subscription: { id, provider, providerSubscriptionId },
    endedAt,
    record,
  }: { subscription: OwnSubscription; endedAt: Date | null } & Pick<Ending, "record">,
  db: Database,
): Promise<EndedNow> {
  return db.$transaction(
    async (transaction) => {
      if (endedAt) {
        const events = [subscriptionEnded({ providerSubscriptionId, endedAt })];
        await applyBillingEvents({ provider, events }, transaction);
      }
      await transaction.$queryRaw`
        SELECT 1 AS locked FROM subscriptions WHERE id = ${id}::uuid FOR UPDATE`;
      const credits = await takeRunningMonth(id, transaction);
      // Shares of payments that are away count of what is left.
      await settleSubscription(id, transaction);
      const ended = { status: "ended", credits, wasRunning: endedAt !== null } as const;
      if (ended.wasRunning || credits > 0) await record(ended, transaction);
      return ended;
    },
    { timeout: 30_000 },
  );
}
