import type { SubscriptionChanged } from "~/services/payments/billing-event";

/**
 * The event for a subscription that its provider says has ended, or does not have at all: nothing can
 * be charged for either. It has the effect of the webhook that was lost.
 */
export function subscriptionEnded({
  providerSubscriptionId,
  endedAt,
  now = new Date(),
}: {
  providerSubscriptionId: string;
  endedAt: Date | null;
  now?: Date;
}): SubscriptionChanged {
  return {
    kind: "subscription_changed",
    providerSubscriptionId,
    customerId: null,
    status: "canceled",
    priceId: null,
    listed: null,
    currentPeriodStart: null,
    currentPeriodEnd: null,
    startedAt: null,
    hasSchedule: false,
    cancelAtPeriodEnd: false,
    endedAt: endedAt ?? now,
    metadata: null,
    occurredAt: now,
  };
}
