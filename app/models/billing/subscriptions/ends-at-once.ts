import type { SubscriptionStatus } from "~/services/payments/billing-event";

const WITHOUT_PERIOD: SubscriptionStatus[] = ["paused", "expired", "incomplete"];

/**
 * Whether a cancellation ends a subscription at once: in these states there is no paid period whose end
 * would come, even if its end was scheduled before.
 */
export const endsAtOnce = ({ status }: { status: SubscriptionStatus }): boolean =>
  WITHOUT_PERIOD.includes(status);
