import { type Database, getDb } from "~/db.server";
import type { PaymentProviderName } from "~/env/payments";
import type { SubscriptionStatus } from "~/generated/prisma/enums";
import { inTurn } from "~/models/billing/changes/in-turn.server";
import { applyBillingEvents } from "~/models/billing/effects.server";
import {
  getOpenSubscription,
  listOpenSubscriptions,
  MAY_CHARGE,
  type OwnSubscription,
} from "~/models/billing/subscriptions/management.server";
import { recordScheduledEnd } from "~/models/billing/subscriptions/own-writes.server";
import { providerError } from "~/services/payments/payment-faults";
import type {
  CancelResult,
  PaymentProvider,
  SubscriptionStanding,
} from "~/services/payments/payment-provider.server";
import { subscriptionEnded } from "~/services/payments/subscription-ended";
import { log } from "~/utils/logger.server";

export type ProviderOf = (name: PaymentProviderName) => PaymentProvider;

export type CancellationResult =
  /** It ends with its period. */
  | {
      status: "scheduled";
      subscriptionId: string;
      subscriptionStatus: SubscriptionStatus;
      currentPeriodEnd: Date | null;
    }
  /** It is over now, or was before. */
  | { status: "ended"; subscriptionId: string; currentPeriodEnd: Date | null }
  /** The user has no such subscription that may still charge them. */
  | { status: "not_found" };

/** `subscriptionId` is ours. Without one, the running subscription is meant. */
export interface OwnRequest {
  userId: string;
  subscriptionId?: string | undefined;
}

/**
 * Ends a subscription with its period, at the provider it was bought from; at once if it would never
 * reach the period's end. Asks the provider even if our row says that it ends, since the row may have missed
 * that it was resumed.
 * @throws AppError 502 provider_error, 503 payments_unavailable
 */
export async function cancelSubscription(
  request: OwnRequest,
  providerOf: ProviderOf,
  db: Database = getDb(),
): Promise<CancellationResult> {
  const result = await inTurn(request.userId, () => cancel(request, providerOf, db), db);
  return result ?? failBusy();
}

/** @throws AppError 502 provider_error: an earlier request of the user waits for the provider */
export function failBusy(): never {
  throw providerError(new Error("an earlier change of this user's plan is still under way"));
}

async function cancel(
  { userId, subscriptionId }: OwnRequest,
  providerOf: ProviderOf,
  db: Database,
): Promise<CancellationResult> {
  const subscription = await getOpenSubscription(userId, db, subscriptionId);
  if (!subscription) return { status: "not_found" };
  const { id, status: subscriptionStatus } = subscription;
  const result = await endAtProvider({ subscription, when: "period_end" }, providerOf, db);
  if (result.status !== "scheduled") {
    const { currentPeriodEnd } = subscription;
    return { status: "ended", subscriptionId: id, currentPeriodEnd };
  }
  const currentPeriodEnd = result.currentPeriodEnd ?? subscription.currentPeriodEnd;
  return { status: "scheduled", subscriptionId: id, subscriptionStatus, currentPeriodEnd };
}

/** A subscription as far as its provider needs to be asked about it. */
type AtProvider = Pick<OwnSubscription, "id" | "provider" | "providerSubscriptionId">;

/** Cancels at the provider and records its response. Throws as the provider's call does. */
export async function endAtProvider(
  { subscription, when }: { subscription: AtProvider; when: "period_end" | "now" },
  providerOf: ProviderOf,
  db: Database = getDb(),
): Promise<CancelResult> {
  const { provider, providerSubscriptionId } = subscription;
  const result = await providerOf(provider).cancelSubscription({ providerSubscriptionId, when });
  await recordStanding(subscription, result, db);
  return result;
}

/** An open payment of one of these may still be collected after its end was scheduled. */
const OWES: SubscriptionStatus[] = ["past_due", "unpaid", "expired"];

/**
 * Asks the providers whether the user's subscriptions end, and records their responses. Returns the ids of
 * those that do, or null if one would renew. One with an open payment that was cancelled is ended at
 * once, so that nothing is collected after the deletion.
 * @throws AppError 502 provider_error, 503 payments_unavailable
 */
export async function confirmEnding(
  { userId }: { userId: string },
  providerOf: ProviderOf,
  db: Database = getDb(),
): Promise<string[] | null> {
  const open = await listOpenSubscriptions(userId, db);
  let isRenewing = false;
  for (const subscription of open) {
    const { provider, providerSubscriptionId, status } = subscription;
    const standing = await providerOf(provider).checkSubscription({ providerSubscriptionId });
    if (standing.status === "scheduled" && OWES.includes(status))
      await endAtProvider({ subscription, when: "now" }, providerOf, db);
    else await recordStanding(subscription, standing, db);
    isRenewing ||= standing.status === "renewing";
  }
  return isRenewing ? null : open.map(({ id }) => id);
}

/** Records what the provider said. A row that has ended meanwhile stays as it is. */
async function recordStanding(
  { id, provider, providerSubscriptionId }: AtProvider,
  standing: SubscriptionStanding,
  db: Database,
): Promise<void> {
  switch (standing.status) {
    case "renewing":
      await db.subscription.updateMany({
        where: { id, ...MAY_CHARGE },
        data: { cancelAtPeriodEnd: false },
      });
      return;
    case "scheduled":
      return recordScheduledEnd({ id, currentPeriodEnd: standing.currentPeriodEnd }, db);
    case "not_found":
      log().error(
        { provider, subscriptionId: id },
        "the provider does not have this subscription, so it has ended here",
      );
      return recordEnd({ provider, providerSubscriptionId, endedAt: null }, db);
    case "ended":
      return recordEnd({ provider, providerSubscriptionId, endedAt: standing.endedAt }, db);
  }
}

/** Applies the end as the provider's own event would. */
export async function recordEnd(
  {
    provider,
    ...ended
  }: { provider: PaymentProviderName; providerSubscriptionId: string; endedAt: Date | null },
  db: Database,
): Promise<void> {
  const events = [subscriptionEnded(ended)];
  await db.$transaction((transaction) => applyBillingEvents({ provider, events }, transaction));
}
