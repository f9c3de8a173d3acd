import { type Database, getDb } from "~/db.server";
import type { SubscriptionStatus } from "~/generated/prisma/enums";
import {
  failBusy,
  type OwnRequest,
  type ProviderOf,
  recordEnd,
} from "~/models/billing/cancellations/cancellations.server";
import { inTurn } from "~/models/billing/changes/in-turn.server";
import {
  findOwnSubscription,
  type OwnSubscription,
} from "~/models/billing/subscriptions/management.server";
import { recordResumed } from "~/models/billing/subscriptions/own-writes.server";

export type ResumptionResult =
  /** It renews with its next period, as it does if nobody cancelled it. */
  | {
      status: "renewing";
      subscriptionId: string;
      subscriptionStatus: SubscriptionStatus;
      currentPeriodEnd: Date | null;
    }
  /** It is over, so there is nothing to take back. */
  | { status: "ended" }
  /** The user has no such subscription. */
  | { status: "not_found" };

/**
 * Takes back the cancellation of a subscription whose end lies ahead. Asks the provider it was bought from,
 * whatever our row says. Repeating it changes nothing.
 * @throws AppError 502 provider_error, 503 payments_unavailable
 */
export async function resumeSubscription(
  request: OwnRequest,
  providerOf: ProviderOf,
  db: Database = getDb(),
): Promise<ResumptionResult> {
  const result = await inTurn(request.userId, () => resume(request, providerOf, db), db);
  return result ?? failBusy();
}

async function resume(
  { userId, subscriptionId }: OwnRequest,
  providerOf: ProviderOf,
  db: Database,
): Promise<ResumptionResult> {
  const subscription = await findOwnSubscription(userId, db, subscriptionId);
  if (!subscription) return { status: "not_found" };
  if (subscription.status === "canceled") return { status: "ended" };
  return resumeAtProvider(subscription, providerOf, db);
}

async function resumeAtProvider(
  subscription: OwnSubscription,
  providerOf: ProviderOf,
  db: Database,
): Promise<ResumptionResult> {
  const { id, provider, providerSubscriptionId, status: subscriptionStatus } = subscription;
  const result = await providerOf(provider).resumeSubscription({ providerSubscriptionId });
  if (result.status !== "renewing") {
    const endedAt = result.status === "ended" ? result.endedAt : null;
    await recordEnd({ provider, providerSubscriptionId, endedAt }, db);
    return { status: "ended" };
  }
  await recordResumed({ id, currentPeriodEnd: result.currentPeriodEnd }, db);
  const currentPeriodEnd = result.currentPeriodEnd ?? subscription.currentPeriodEnd;
  return { status: "renewing", subscriptionId: id, subscriptionStatus, currentPeriodEnd };
}
